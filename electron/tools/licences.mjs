// Collects the licences of the packages whose code is in a bundle, so that they go out with it.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Folders of the packages that a bundle's files are of, given as paths inside `root`. */
export function packageFolders(files) {
  const found = files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(found)].sort();
}

/** One package: its name, version and licence, and the text of the licence where it has one. */
async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((one) => /^(licen[cs]e|copying)(\.|$|-)/i.test(one));
  const text = file === undefined ? '' : (await readFile(path.join(folder, file), 'utf8')).trim();
  if (license === undefined && text === '') throw new Error(`${name} says nothing of its licence.`);
  return `${name} ${version} (${license ?? 'see below'})\n\n${text}\n`;
}

/** The notices of all these packages. @throws Error where one has no licence */
export async function notices(root, files) {
  const folders = packageFolders(files);
  const texts = await Promise.all(folders.map((folder) => noticeOf(path.join(root, folder))));
  return texts.join(`\n${'-'.repeat(78)}\n\n`);
}
