/// <reference types="svelte" />
/// <reference types="vite/client" />
import type { HoldfastApi } from '../electron/ipc/contract.ts';

declare global {
  interface Window {
    /** Made by the preload script. */
    readonly holdfast: HoldfastApi;
  }
}
