import { ipcMain, type WebContents } from 'electron';
import type { OpenWish } from '../control/getting-port.ts';
import type { Banner, Place, Snapshot } from '../control/snapshot.ts';
import { HoldfastError } from '../core/errors.ts';
import { answer, refusal, type AnswerDeps } from './answer.ts';
import { CHANNELS } from './contract.ts';
import { isOurPage } from './sender.ts';

export interface ServeDeps extends AnswerDeps {
  /** The page file of the window; nothing else is answered. */
  readonly rendererFile: string;
}

/** The main process's end of the window's wire. */
export interface WindowLink {
  /** From now on this window is the one that is answered and told. */
  attach(contents: WebContents): void;
  pushSnapshot(snapshot: Snapshot): void;
  focus(place: Place): void;
  openWish(wish: OpenWish): void;
  banner(banner: Banner): void;
  dispose(): void;
}

/** Serves the window's commands and its events. */
export function serveWindow(deps: ServeDeps): WindowLink {
  let window: WebContents | undefined;
  ipcMain.handle(CHANNELS.invoke, (event, command: unknown, input: unknown) => {
    // The frame has to be read before anything is awaited: later it may be gone.
    const isOurs = isOurPage(event.sender === window, event.senderFrame, deps.rendererFile);
    return isOurs ? answer(deps, command, input) : refusal(deps, new HoldfastError('FORBIDDEN'));
  });
  const send = (channel: string, payload: unknown): void => {
    if (window !== undefined && !window.isDestroyed()) window.send(channel, payload);
  };
  return {
    attach(contents) {
      window = contents;
    },
    pushSnapshot(snapshot) {
      send(CHANNELS.snapshot, snapshot);
    },
    focus(place) {
      send(CHANNELS.focus, place);
    },
    openWish(wish) {
      send(CHANNELS.open, wish);
    },
    banner(banner) {
      send(CHANNELS.banner, banner);
    },
    dispose() {
      window = undefined;
      ipcMain.removeHandler(CHANNELS.invoke);
    },
  };
}
