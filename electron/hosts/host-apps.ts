import table from '../../resources/hosts.json';
import { hostTableSchema } from './host-app-schema.ts';
import type { HostApp, HostCard } from './host-app-schema.ts';

export type { HostApp, HostCard };

const APPS = hostTableSchema.parse(table).apps;
const WRITTEN = new Map(APPS.flatMap((app) => ('files' in app ? [[app.id, deepFreeze(app)] as const] : [])));
const CARDS = new Map(APPS.flatMap((app) => ('where' in app ? [[app.id, deepFreeze(app)] as const] : [])));

/** The host app of that id, or undefined where Holdfast has no writer for it. */
export function hostApp(id: string): HostApp | undefined {
  return WRITTEN.get(id);
}

/** All host apps whose settings Holdfast can write. */
export function hostApps(): readonly HostApp[] {
  return [...WRITTEN.values()];
}

/** How a person connects an app that has no writer. */
export function hostCard(id: string): HostCard | undefined {
  return CARDS.get(id);
}

/** All apps that a person connects by hand. */
export function hostCards(): readonly HostCard[] {
  return [...CARDS.values()];
}

function deepFreeze<T extends object>(value: T): T {
  for (const item of Object.values(value) as unknown[]) {
    if (typeof item === 'object' && item !== null) deepFreeze(item);
  }
  return Object.freeze(value);
}
