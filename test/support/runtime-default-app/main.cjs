// What Electron runs when it is given an app folder or script on its command line: `electron [-r MODULE]... PATH`.
const { app } = require('electron');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

function parse(args) {
  const required = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === '-r' || arg === '--require') required.push(args[++i]);
    else if (!arg.startsWith('-')) return { required, target: path.resolve(arg) };
  }
  return { required, target: undefined };
}

function describe(manifest) {
  const name = manifest.productName ?? manifest.name;
  if (manifest.version) app.setVersion(manifest.version);
  if (name) app.setName(name);
  app.setDesktopName(manifest.desktopName ?? `${app.getName()}.desktop`);
}

function load(target) {
  const manifestFile = path.join(target, 'package.json');
  if (!fs.existsSync(manifestFile)) {
    app.setAppPath(path.dirname(target));
    return require(target);
  }
  const manifest = JSON.parse(fs.readFileSync(manifestFile, 'utf8'));
  describe(manifest);
  app.setAppPath(target);
  return require(path.join(target, manifest.main ?? 'index.js'));
}

const { required, target } = parse(process.argv.slice(1));
if (target === undefined) {
  console.error('usage: electron [options] APP');
  process.exit(1);
}
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true, configurable: false });
// Playwright comes in this way, before the app's own code.
if (required.length > 0) Module._preloadModules(required);
load(target);
