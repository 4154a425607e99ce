import { mount, tick, unmount } from 'svelte';
import App from '../../renderer/App.svelte';
import { Client } from '../../renderer/client.svelte.ts';
import type { Look } from '../../renderer/preferences.svelte.ts';
import { TABLES, type Language } from '../../renderer/words.ts';
import '../../renderer/app.css';
import { pseudoTable } from '../support/pseudo.ts';
import { openAll } from './acts.ts';
import { backlog, BANNERS } from './samples.ts';
import { PlayedGateway, toolOf } from './gateway.ts';
import { STATES, WORLD, type GalleryState, type StateName } from './states.ts';

export interface ShowOptions {
  readonly language?: Language;
  readonly look?: Look;
  /** Every text as long as translations get. */
  readonly isPseudo?: boolean;
}

const target = document.querySelector('#app') ?? document.body;
let client: Client | undefined;
let gateway: PlayedGateway | undefined;
let app: Record<string, unknown> | undefined;

async function show(name: StateName, { language = 'en', look = 'light', isPseudo = false }: ShowOptions = {}) {
  const state: GalleryState = STATES[name];
  // Before it has heard of a setting, the window goes by the system.
  Object.defineProperty(navigator, 'language', { value: language, configurable: true });
  await start({ ...state, snapshot: { ...state.snapshot, ...state.told?.(language), language } }, isPseudo, look);
  if (state.act !== undefined) await act(state.act);
  await settle();
}

async function start(state: GalleryState, isPseudo: boolean, look: Look): Promise<void> {
  if (app !== undefined) await unmount(app);
  client?.dispose();
  const { snapshot = {}, world, answers = {} } = state;
  gateway = new PlayedGateway(snapshot, { ...WORLD, ...world }, answers);
  client = new Client(gateway, isPseudo ? { ...TABLES, en: pseudoTable(TABLES.en) } : TABLES);
  client.preferences.set({ look, hasLetterKeys: true });
  app = mount(App, { target, props: { client } });
  void client.start();
  await settle();
  if (state.view !== undefined) client.go(state.view);
  await settle();
}

/** Answers come in microtasks, and pages ask again when they are shown. A timer would wait longer than it has to. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    await tick();
  }
}

async function act(what: NonNullable<GalleryState['act']>): Promise<void> {
  const filled = document.querySelector<HTMLButtonElement>('.button.filled');
  if (what === 'approve' || what === 'new-set') filled?.click();
  if (what === 'new-set') document.querySelector<HTMLButtonElement>('.top .button')?.click();
  if (what === 'help') window.dispatchEvent(new KeyboardEvent('keydown', { key: '?' }));
  if (what === 'banner') gateway?.banner(BANNERS[client?.language ?? 'en']);
  if (what === 'restart') document.querySelector<HTMLButtonElement>('[data-restart]')?.click();
  if (what === 'open-all') openAll();
  if (typeof what === 'function' && gateway !== undefined) await what(settle, gateway);
  await settle();
}

/** A backlog and a server as large as they get, for measuring. */
async function showLarge(reviews: number, tools: number): Promise<void> {
  const many = Array.from({ length: tools }, (_, at) => toolOf(`Tool ${at}`, { claude: 'on' }));
  await start(
    { snapshot: { ...STATES.inbox.snapshot, language: 'en', reviews: backlog(reviews) }, world: { tools: many } },
    false,
    'light',
  );
}

declare global {
  interface Window {
    readonly gallery: {
      readonly names: readonly StateName[];
      readonly filled: (name: StateName) => number | 'any';
      /** Nothing was done there yet, so it is as it opens. */
      readonly isUntouched: (name: StateName) => boolean;
      readonly show: typeof show;
      readonly showLarge: typeof showLarge;
      readonly asked: () => readonly [string, unknown][];
      readonly push: (given: object) => void;
      /** Another look of what is shown, as it stands. */
      readonly look: (look: Look) => Promise<void>;
    };
  }
}
const names = Object.keys(STATES) as StateName[]; // its own keys
Object.assign(window, {
  gallery: {
    names,
    filled: (name: StateName) => (STATES[name] as GalleryState).filled ?? 1,
    isUntouched: (name: StateName) => (STATES[name] as GalleryState).act === undefined,
    show,
    showLarge,
    asked: () => gateway?.asked ?? [],
    push: (given: object) => gateway?.push(given),
    look: async (look: Look) => {
      client?.preferences.set({ look });
      await tick();
    },
  } satisfies Window['gallery'],
});
await show('inbox');
