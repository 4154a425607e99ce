const MAX_NAME = 400;
const MAX_PART = 200;
const MAX_DEPTH = 32;
/** Hidden and turning characters, and those that a path means something by on one system or another. */
const NEVER = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\:*?"<>|\uFFFD]/u;
/** Windows gives these to devices, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

/**
 * True for the name of a file or folder (which ends in `/`) in an archive that stays below the folder it is unpacked
 * into, and can be there on every system alike: what one system would refuse or read as another name is refused by all.
 */
export function isPlainName(name: string): boolean {
  const inner = name.endsWith('/') ? name.slice(0, -1) : name;
  const parts = inner.split('/');
  return inner.length <= MAX_NAME && parts.length <= MAX_DEPTH && !NEVER.test(inner) && parts.every(isPlainPart);
}

function isPlainPart(part: string): boolean {
  if (part === '' || part === '.' || part === '..' || part.length > MAX_PART) return false;
  // Windows drops dots and spaces at the end, so that two names would be one.
  return !/[. ]$/.test(part) && !DEVICE.test(part);
}

/** What two names have in common that are one file where case, or how a letter is composed, counts for nothing. */
function sameFile(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Notices names that some system takes for one another, folders on the way included. */
export class NamesSeen {
  readonly #files = new Set<string>();
  readonly #folders = new Map<string, string>();

  /** False where this name, or a folder on its way, is there already as something else. */
  add(name: string): boolean {
    const isFolder = name.endsWith('/');
    const parts = (isFolder ? name.slice(0, -1) : name).split('/');
    const folders = parts.slice(0, isFolder ? parts.length : -1).map((_, at) => parts.slice(0, at + 1).join('/'));
    if (!folders.every((folder) => this.#addFolder(folder))) return false;
    if (isFolder) return true;
    const key = sameFile(name);
    if (this.#files.has(key) || this.#folders.has(key)) return false;
    this.#files.add(key);
    return true;
  }

  #addFolder(folder: string): boolean {
    const key = sameFile(folder);
    if (this.#files.has(key)) return false;
    const known = this.#folders.get(key) ?? folder;
    this.#folders.set(key, known);
    return known === folder;
  }
}
