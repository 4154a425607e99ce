import path from 'node:path';
import { isFile } from './small-files.ts';

/** Programs that servers are started with, as absolute paths; `null` for what there is not. */
export interface Runtimes {
  readonly node: NodeProgram | null;
  /** The folder of npm, with `bin/npx-cli.js` in it. */
  readonly npm: string | null;
  readonly uv: string | null;
  /** Ours, and so first choice for package runners; else they are what is at hand where nothing else is found. */
  readonly isPackaged: boolean;
}

export interface NodeProgram {
  readonly file: string;
  /** What makes Node of it, where it is another program at first. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RuntimePlace {
  /** Folders that may hold `runtimes/`, the first choice first: of the package, of the data folder. */
  readonly roots: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/** Where the packaged runtimes of this system may be: folders with `node` and `uv` in them. */
function runtimeFolders({ roots, platform, arch }: RuntimePlace): string[] {
  return roots.map((root) => path.join(root, 'runtimes', `${platform}-${arch}`));
}

/** The packaged runtimes, each from the first folder that has it; `null` where there is no Node among them. */
export function packagedRuntimes(place: RuntimePlace): Runtimes | null {
  const folders = runtimeFolders(place);
  const first = (names: readonly string[], isSound = isFile): string | null =>
    folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(isSound) ?? null;
  const isWindows = place.platform === 'win32';
  const node = first(isWindows ? ['node/node.exe', 'node/bin/node.exe'] : ['node/bin/node', 'node/node']);
  const uv = first(isWindows ? ['uv/uv.exe', 'uv/bin/uv.exe'] : ['uv/uv', 'uv/bin/uv']);
  if (node === null) return null;
  const npm = first(
    NPM_FOLDERS.map((folder) => path.join('node', folder)),
    isNpm,
  );
  return { node: { file: node, env: {} }, npm, uv, isPackaged: true };
}

/** The Node that runs this program, with the npm that came with it; Electron's executable runs as Node, too. */
export function runtimesAtHand(execPath: string, isElectron: boolean): Runtimes {
  const folder = path.dirname(execPath);
  const npm = [path.dirname(folder), folder].flatMap((root) => NPM_FOLDERS.map((name) => path.join(root, name)));
  return {
    node: { file: execPath, env: isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {} },
    npm: isElectron ? null : (npm.find(isNpm) ?? null),
    uv: null,
    isPackaged: false,
  };
}

/** As Node's own archives have it, on Windows and elsewhere. */
const NPM_FOLDERS = ['lib/node_modules/npm', 'node_modules/npm'];

function isNpm(folder: string): boolean {
  return isFile(path.join(folder, 'bin', 'npx-cli.js'));
}
