// Renders resources/icon.svg and resources/tray/*.svg into the images that the app and its packages carry.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';

const resources = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../resources');
const trayStates = ['ok', 'attention', 'error', 'paused'];
// Electron takes the @2x file by itself on a dense screen. Windows wants 16, Linux panels 22, macOS 16.
const trayFiles = [
  { suffix: '', size: 22 },
  { suffix: '-16', size: 16 },
];
const appSizes = [16, 32, 48, 64, 128, 256, 512];
const icoSizes = [16, 24, 32, 48, 64, 128, 256];
// Apple's type code for each PNG size; the last four are the dense variants.
const icnsTypes = { ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic11: 32, ic12: 64, ic13: 256, ic14: 512 };

function png(svg, size) {
  return new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
}

async function writeBoth(name, svg, size) {
  await writeFile(path.join(resources, `${name}.png`), png(svg, size));
  await writeFile(path.join(resources, `${name}@2x.png`), png(svg, size * 2));
}

/** macOS colours the image itself: black where there is colour, and nothing where the paper shows through. */
function template(svg) {
  return svg.replaceAll('#fff', 'none').replaceAll(/#[0-9a-f]{6}/g, '#000');
}

function ico(svg) {
  const images = icoSizes.map((size) => png(svg, size));
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  images.forEach((image, i) => {
    const entry = 6 + 16 * i;
    // A size of 256 is written as 0.
    head.writeUInt8(icoSizes[i] % 256, entry);
    head.writeUInt8(icoSizes[i] % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(image.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += image.length;
  });
  return Buffer.concat([head, ...images]);
}

function icnsChunk(type, data) {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(head.length + data.length, 4);
  return Buffer.concat([head, data]);
}

function icns(svg) {
  const images = Object.entries(icnsTypes).map(([type, size]) => icnsChunk(type, png(svg, size)));
  return icnsChunk('icns', Buffer.concat(images));
}

async function makeTray(state) {
  const svg = await readFile(path.join(resources, `tray/${state}.svg`), 'utf8');
  for (const { suffix, size } of trayFiles) await writeBoth(`tray-${state}${suffix}`, svg, size);
  await writeBoth(`tray-${state}Template`, template(svg), 16);
}

async function makeAppIcons() {
  const svg = await readFile(path.join(resources, 'icon.svg'), 'utf8');
  await mkdir(path.join(resources, 'icons'), { recursive: true });
  for (const size of appSizes) await writeFile(path.join(resources, `icons/${size}x${size}.png`), png(svg, size));
  await writeFile(path.join(resources, 'icon.png'), png(svg, 512));
  await writeFile(path.join(resources, 'icon.ico'), ico(svg));
  await writeFile(path.join(resources, 'icon.icns'), icns(svg));
}

await Promise.all([...trayStates.map(makeTray), makeAppIcons()]);
