import type { SecretBox } from '../store/secrets.ts';

/** What is used of Electron's own object; older versions of it cannot tell which key store they use. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  getSelectedStorageBackend?(): string;
  encryptString(text: string): Buffer;
  decryptString(bytes: Buffer): string;
}

/** Stand-ins that Chromium uses where it finds no key store: their key is in every copy of the program. */
const NO_KEY_STORES: readonly string[] = ['basic_text', 'unknown'];
const PROBE = 'holdfast';

/** The system's key store; `null` where there is none, where it is locked, and wherever it is not certain that it is real. */
export function secretBox(storage: SafeStorage, platform: NodeJS.Platform): SecretBox | null {
  try {
    if (!storage.isEncryptionAvailable()) return null;
    if (platform === 'linux' && NO_KEY_STORES.includes(storage.getSelectedStorageBackend?.() ?? 'unknown')) return null;
    if (storage.decryptString(storage.encryptString(PROBE)) !== PROBE) return null;
  } catch {
    return null;
  }
  return {
    kind: 'system',
    seal: (text) => storage.encryptString(text),
    open: (bytes) => storage.decryptString(bytes),
  };
}
