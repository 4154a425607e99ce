import { existsSync } from 'node:fs';
import { hostPlatform, listFolder, ownerMark, type HostAccessOptions } from './app-edits.ts';
import { DIALECTS } from './dialects.ts';
import { decode } from './encoding.ts';
import { carriesOwner } from './entry.ts';
import { hostApps, type HostApp } from './host-apps.ts';
import { chooseFiles, isInstalled } from './host-paths.ts';
import { readTarget } from './target-file.ts';

/** A host app of this machine, and how many servers its settings name besides Holdfast. */
export interface FoundApp {
  readonly id: string;
  readonly name: string;
  readonly servers: number;
  /** False where its settings are damaged or not ours to read; they are left as they are. */
  readonly isReadable: boolean;
}

/** Host apps that are installed or have settings here, in the order of the table. Changes nothing, never throws. */
export function foundApps(options: Pick<HostAccessOptions, 'home' | 'env' | 'platform' | 'token'>): FoundApp[] {
  const machine = { ...options, platform: hostPlatform(options.platform) };
  const owner = ownerMark(options.token);
  return hostApps().flatMap((app) => {
    const files = chooseFiles(app, machine, listFolder).files.filter((file) => existsSync(file));
    if (files.length === 0 && !isInstalled(app, machine, listFolder)) return [];
    const counts = files.map((file) => countServers(app, file, owner));
    const servers = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    return [{ id: app.id, name: app.title, servers, isReadable: !counts.includes(null) }];
  });
}

/** `null` where the file is not to be understood. */
function countServers(app: HostApp, file: string, owner: string): number | null {
  try {
    const { content } = readTarget(file);
    if (content === undefined) return 0;
    const { entries } = DIALECTS[app.dialect].see(decode(content.bytes).text, { section: app.section, owner });
    return entries.filter(({ value }) => !carriesOwner(value, owner)).length;
  } catch {
    return null;
  }
}
