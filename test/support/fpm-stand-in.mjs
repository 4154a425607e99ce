#!/usr/bin/env node
// Makes a .deb with dpkg-deb from what electron-builder tells fpm, where fpm cannot be downloaded. For tests only:
// electron-builder starts it in fpm's place (CUSTOM_FPM_PATH).
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FLAGS = ['--force', '--debug'];

/** fpm's command line: options, of which some come many times, and `from=to` for what goes into the package. */
function parse(argv) {
  const options = new Map();
  const files = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at];
    if (FLAGS.includes(word)) continue;
    const [name, inline] = word.split(/=(.*)/s);
    if (!word.startsWith('-')) files.push([name, inline]);
    else options.set(name, [...(options.get(name) ?? []), inline ?? argv[(at += 1)]]);
  }
  return { all: (name) => options.get(name) ?? [], one: (name) => options.get(name)?.at(-1), files };
}

function control({ one, all }, root) {
  const [first = '', ...rest] = (one('--description') ?? '').split('\n').map((line) => line.trim());
  const [size] = execFileSync('du', ['-sk', '--apparent-size', root], { encoding: 'utf8' }).split('\t');
  const lines = {
    Package: one('--name'),
    Version: one('--version'),
    Architecture: one('--architecture'),
    Maintainer: one('--maintainer'),
    'Installed-Size': size,
    Depends: [...all('--depends'), ...all('-d')].join(', '),
    Section: one('--category') ?? 'default',
    Priority: 'optional',
    Homepage: one('--url'),
    Description: [first, ...rest.map((line) => ` ${line || '.'}`)].join('\n'),
  };
  const said = Object.entries(lines).filter(([, value]) => value !== undefined && value !== '');
  return said.map(([name, value]) => `${name}: ${value}\n`).join('');
}

function pack(options) {
  const { one, files } = options;
  if (one('-t') !== 'deb') throw new Error(`only .deb can be made here, not ${one('-t')}`);
  const target = one('--package');
  const root = mkdtempSync(path.join(path.dirname(target), 'deb-'));
  for (const [from, to] of files) {
    const place = path.join(root, to);
    mkdirSync(statSync(from).isDirectory() ? place : path.dirname(place), { recursive: true });
    // Linked, not copied: it is packed once and removed.
    execFileSync('cp', statSync(from).isDirectory() ? ['-al', `${from}/.`, place] : ['-L', from, place]);
  }
  mkdirSync(path.join(root, 'DEBIAN'));
  writeFileSync(path.join(root, 'DEBIAN/control'), control(options, root));
  for (const [option, script] of [
    ['--after-install', 'postinst'],
    ['--after-remove', 'postrm'],
    ['--before-remove', 'prerm'],
  ]) {
    if (one(option) === undefined) continue;
    copyFileSync(one(option), path.join(root, 'DEBIAN', script));
    chmodSync(path.join(root, 'DEBIAN', script), 0o755);
  }
  chmodSync(root, 0o755);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z3', '--build', root, target], { stdio: 'inherit' });
  rmSync(root, { recursive: true, force: true });
}

pack(parse(process.argv.slice(2)));
