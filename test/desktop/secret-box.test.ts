import { expect, test } from 'vitest';
import { secretBox, type SafeStorage } from '../../electron/desktop/secret-box.ts';

const real: SafeStorage = {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret',
  encryptString: (text) => Buffer.from(text, 'utf8').reverse(),
  decryptString: (bytes) => Buffer.from(bytes).reverse().toString('utf8'),
};
const refuse = (): never => {
  throw new Error('no key store');
};

test.each(['darwin', 'win32', 'linux'] as const)('a real key store on %s seals and opens', (platform) => {
  const box = secretBox(real, platform);
  const sealed = box?.seal('a key ✓');
  expect(box?.kind).toBe('system');
  expect(sealed?.toString('utf8')).not.toContain('a key');
  expect(sealed && box?.open(sealed)).toBe('a key ✓');
});

test.each([
  ['none is available', { isEncryptionAvailable: () => false }],
  ['it stands in with a key of its own', { getSelectedStorageBackend: () => 'basic_text' }],
  ['it is not known', { getSelectedStorageBackend: () => 'unknown' }],
  ['it cannot be told which one it is', { getSelectedStorageBackend: undefined }],
  ['asking whether there is one fails', { isEncryptionAvailable: refuse }],
  ['asking which one it is fails', { getSelectedStorageBackend: refuse }],
  ['it seals nothing', { encryptString: refuse }],
  ['it opens nothing', { decryptString: refuse }],
  ['it opens to something else', { decryptString: () => 'x' }],
])('no key store on Linux where %s', (_, broken) => {
  // One case is a version that lacks the function.
  expect(secretBox({ ...real, ...broken } as SafeStorage, 'linux')).toBeNull();
});

test('elsewhere the system itself is the key store, whatever it is called', () => {
  const storage = { ...real, getSelectedStorageBackend: refuse };
  expect([secretBox(storage, 'darwin')?.kind, secretBox(storage, 'win32')?.kind]).toEqual(['system', 'system']);
});
