import type { Settings } from './model.ts';

/** Why the system did not take a file, in words; by its own code for it. */
const REASONS: Readonly<Record<string, readonly [en: string, zh: string]>> = {
  ENOSPC: ['the disk is full', '磁盘已满'],
  EDQUOT: ['the disk is full for this user', '此用户的磁盘配额已满'],
  EFBIG: ['the system lets no file grow so large', '系统不允许文件变得这么大'],
  EROFS: ['the folder is read-only', '该文件夹是只读的'],
  EACCES: ['the folder may not be written', '没有写入该文件夹的权限'],
  EPERM: ['the folder may not be written', '没有写入该文件夹的权限'],
  ENOTDIR: ['there is a file where a folder should be', '应为文件夹的位置是一个文件'],
  EISDIR: ['there is a folder where a file should be', '应为文件的位置是一个文件夹'],
  EEXIST: ['there is a file where a folder should be', '应为文件夹的位置是一个文件'],
  EIO: ['the disk reports an error', '磁盘报告了错误'],
  EMFILE: ['too many files are open', '打开的文件过多'],
  ENFILE: ['too many files are open', '打开的文件过多'],
};

/** The error code of a failed system call. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** `undefined` for a code that has no words of its own. */
export function systemReason(code: unknown, language: Settings['language']): string | undefined {
  const row = typeof code === 'string' && Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return row?.[language === 'en' ? 0 : 1];
}
