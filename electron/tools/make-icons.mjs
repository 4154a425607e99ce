// `npm run icons [folder]`: draws resources/icon.svg into every image that the app and its packages carry.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';

const resources = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../resources');
const target = path.resolve(process.argv[2] ?? resources);
const source = await readFile(path.join(resources, 'icon.svg'), 'utf8');

const trayStates = ['ok', 'attention', 'error', 'paused'];
const appSizes = [16, 32, 48, 64, 128, 256, 512];
const icoSizes = [16, 24, 32, 48, 64, 128, 256];
// A taskbar's icon at 100, 125, 150, 200, 250, 300 and 400 %.
const taskbarSizes = [16, 20, 24, 32, 40, 48, 64];
// Apple's type code for each PNG size; the last four are the dense variants.
const icnsTypes = { ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic11: 32, ic12: 64, ic13: 256, ic14: 512 };
/** Electron takes the file that fits the screen by itself. */
const densities = { '': 1, '@1.5x': 1.5, '@2x': 2 };

/** What each colour of the source becomes; on a dark panel the drawing is light and the paper behind it dark. */
const looks = {
  light: {},
  dark: {
    '#ffffff': '#16181c',
    '#0b827a': '#3cc4b8',
    '#c2410c': '#ffa94d',
    '#d0312d': '#ff8a80',
    '#6c757d': '#b7bfc9',
  },
  // macOS colours the image itself: black where there is colour, and nothing where the paper shows through.
  template: {
    '#ffffff': 'none',
    '#0b827a': '#000000',
    '#c2410c': '#000000',
    '#d0312d': '#000000',
    '#6c757d': '#000000',
  },
};

/** One symbol of the source, as an image of its own. */
function draw(symbol, look = 'light') {
  return source
    .replace('href="#app"', `href="#${symbol}"`)
    .replaceAll(/"(#[0-9a-f]{6})"/g, (_, colour) => `"${looks[look][colour] ?? colour}"`);
}

function png(svg, size) {
  // There is no text in it, and looking through the system's fonts takes longer than all the drawing.
  const options = { fitTo: { mode: 'width', value: size }, font: { loadSystemFonts: false } };
  return new Resvg(svg, options).render().asPng();
}

async function write(name, data) {
  const file = path.join(target, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, data);
}

async function writeDense(name, svg, size) {
  for (const [suffix, density] of Object.entries(densities))
    await write(`${name}${suffix}.png`, png(svg, size * density));
}

function ico(svg, sizes) {
  const images = sizes.map((size) => png(svg, size));
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  images.forEach((image, i) => {
    const entry = 6 + 16 * i;
    // A size of 256 is written as 0.
    head.writeUInt8(sizes[i] % 256, entry);
    head.writeUInt8(sizes[i] % 256, entry + 1);
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

/** Linux panels want 22 pixels, macOS 16; a Windows taskbar picks from an ICO. */
async function makeTray(state) {
  for (const look of ['light', 'dark']) {
    await writeDense(`tray/${state}-${look}`, draw(state, look), 22);
    await write(`tray/${state}-${look}.ico`, ico(draw(state, look), taskbarSizes));
  }
  await writeDense(`tray/${state}Template`, draw(state, 'template'), 16);
}

async function makeAppIcons() {
  const svg = draw('app');
  for (const size of appSizes) await write(`icons/${size}x${size}.png`, png(svg, size));
  await write('icon.png', png(svg, 512));
  await write('icon.ico', ico(svg, icoSizes));
  await write('icon.icns', icns(svg));
}

await Promise.all([...trayStates.map(makeTray), makeAppIcons()]);
