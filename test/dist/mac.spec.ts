import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { build, Platform } from 'electron-builder';
import { ROOT } from '../support/holdfast.ts';

// macOS's packages cannot be finished elsewhere; what goes into the app and what it says of itself can be looked at.

const plist = (name: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>${name}</string>
<key>CFBundleName</key><string>${name}</string>
<key>CFBundleIdentifier</key><string>com.github.Electron</string>
</dict></plist>`;

/** An Electron.app with the folders that electron-builder renames, and nothing that runs. */
function skeleton(folder: string): string {
  const contents = path.join(folder, 'Electron.app/Contents');
  const bundle = (place: string, name: string): void => {
    mkdirSync(path.join(place, 'MacOS'), { recursive: true });
    mkdirSync(path.join(place, 'Resources'), { recursive: true });
    writeFileSync(path.join(place, 'Info.plist'), plist(name));
    writeFileSync(path.join(place, 'MacOS', name), '');
  };
  bundle(contents, 'Electron');
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const name = `Electron Helper${kind}`;
    bundle(path.join(contents, 'Frameworks', `${name}.app/Contents`), name);
  }
  writeFileSync(path.join(folder, 'LICENSE'), '');
  writeFileSync(path.join(folder, 'LICENSES.chromium.html'), '');
  return folder;
}

test('on macOS the app stays out of the Dock, asks with buttons, and opens our links and bundles', async () => {
  const work = mkdtempSync(path.join(os.tmpdir(), 'holdfast-mac-'));
  try {
    await build({
      projectDir: ROOT,
      targets: Platform.MAC.createTarget(['dir']),
      config: {
        directories: { output: path.join(work, 'release') },
        electronDist: skeleton(path.join(work, 'electron')),
        electronVersion: '25.1.1',
        // There is no program in it whose fuses could be set, and no certificate to sign it with.
        electronFuses: null,
        mac: { identity: null },
      },
      publish: 'never',
    });
    const contents = path.join(work, 'release/mac/Holdfast.app/Contents');
    const said = readFileSync(path.join(contents, 'Info.plist'), 'utf8').replaceAll(/\s+/g, ' ');
    expect(said).toContain('<key>LSUIElement</key> <true/>');
    expect(said).toContain('<key>NSUserNotificationAlertStyle</key> <string>alert</string>');
    expect(said).toContain('<key>CFBundleIdentifier</key> <string>app.holdfast.gateway</string>');
    expect(said).toContain('<key>CFBundleURLSchemes</key> <array> <string>holdfast</string>');
    expect(said).toContain('<key>CFBundleTypeExtensions</key> <array> <string>mcpb</string>');
    expect(said).toMatch(/<key>ElectronAsarIntegrity<\/key> <dict> <key>Resources\/app\.asar<\/key>/);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
