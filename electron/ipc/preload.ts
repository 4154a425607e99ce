import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron';
import { CHANNELS, isWindowCommand, type HoldfastApi } from './contract.ts';

function listen(channel: string, listener: (payload: never) => void): () => void {
  const handler = (_event: IpcRendererEvent, payload: unknown): void => {
    listener(payload as never); // the main process sends one type per channel
  };
  ipcRenderer.on(channel, handler);
  return () => {
    ipcRenderer.removeListener(channel, handler);
  };
}

const api: HoldfastApi = {
  invoke: (command, input) => {
    if (!isWindowCommand(command)) return Promise.reject(new TypeError('The window has no such command.'));
    // The main process answers with the envelope of exactly this command.
    return ipcRenderer.invoke(CHANNELS.invoke, command, input) as Promise<never>;
  },
  onSnapshot: (listener) => listen(CHANNELS.snapshot, listener),
  onFocus: (listener) => listen(CHANNELS.focus, listener),
  onOpen: (listener) => listen(CHANNELS.open, listener),
  onBanner: (listener) => listen(CHANNELS.banner, listener),
  // Electron before 29 has no such object, and gives the file itself a path.
  pathOf: (file) => (webUtils as typeof webUtils | undefined)?.getPathForFile(file) ?? '',
};

contextBridge.exposeInMainWorld('holdfast', api);
