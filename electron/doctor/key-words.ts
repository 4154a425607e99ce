import type { CaseRow } from './case-row.ts';

/** Findings about the keys that servers were given. */
export const KEY_CASES = {
  'keys.none': { status: 'ok', en: ['None are stored.'], zh: ['没有保存密钥。'] },
  'keys.sealed': {
    status: 'ok',
    en: ['They are encrypted with the key store of this computer.'],
    zh: ['已用这台电脑的密钥库加密。'],
  },
  'keys.plain': {
    status: 'note',
    en: [
      'They are in a file that only you can read, and not encrypted.',
      'Use the tray app on a desktop with a key store: it encrypts them at its start.',
    ],
    zh: ['保存在只有你能读取的文件中，没有加密。', '请在带有密钥库的桌面上使用托盘应用，它会在启动时加密。'],
  },
  'keys.locked': {
    status: 'problem',
    en: [
      'They are locked, because Holdfast runs without the app. Servers that need them are not started; nothing is lost.',
      'End the running Holdfast first (process {pid}), then open the Holdfast app.',
    ],
    zh: [
      'Holdfast 没有通过应用运行，因此密钥已锁定，不会启动需要密钥的服务，没有丢失任何内容。',
      '请先结束正在运行的 Holdfast（进程 {pid}），然后打开 Holdfast 应用。',
    ],
  },
  'keys.noKeyStore': {
    status: 'problem',
    en: [
      'They are locked, because this computer’s key store is. Servers that need them are not started; nothing is lost.',
      'Unlock this computer’s key store, then quit Holdfast and open it again.',
    ],
    zh: [
      '这台电脑的密钥存储无法使用，因此密钥已锁定，不会启动需要密钥的服务，没有丢失任何内容。',
      '请解锁这台电脑的密钥存储，然后退出 Holdfast 并重新打开。',
    ],
  },
  'keys.unopenable': {
    status: 'problem',
    en: [
      'This computer’s key store works, but does not open them. Servers that need them are not started; the file is kept.',
      'Put the former key store back and open Holdfast again. Where it is gone for good, put the file aside and enter the keys again.',
    ],
    zh: [
      '这台电脑的密钥存储可以使用，但打不开这些密钥。不会启动需要密钥的服务，文件会保留。',
      '请恢复以前的密钥存储并重新打开 Holdfast；如果它已无法找回，请另存该文件并重新输入密钥。',
    ],
    command: 'servers forget-keys',
  },
  'keys.open': {
    status: 'problem',
    en: [
      'Other users of this computer may read the file with your keys.',
      'Make secrets.json readable for you alone, and replace the keys where they were issued.',
    ],
    zh: ['这台电脑的其他用户可以读取保存密钥的文件。', '请让 secrets.json 只有你能读取，并在签发处更换这些密钥。'],
  },
  'keys.unreadable': {
    status: 'problem',
    en: [
      'The file with your keys cannot be read.',
      'Open Holdfast: it keeps the file aside. Then enter the keys again.',
    ],
    zh: ['无法读取保存密钥的文件。', '请打开 Holdfast，它会另行保留该文件，然后重新输入密钥。'],
    command: 'servers set NAME --env KEY=VALUE',
  },
} as const satisfies Record<string, CaseRow>;
