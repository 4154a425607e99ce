// `npm run pictures`: every screen in English on light and in Chinese on dark, as pictures in test/.results/pictures.
import { spawnSync } from 'node:child_process';

const playwright = ['npx', 'playwright', 'test', '--config=test/pictures/playwright.config.ts'];
const needsDisplay = process.platform === 'linux' && process.env['DISPLAY'] === undefined;
const [command, ...args] = needsDisplay ? ['xvfb-run', '--auto-servernum', ...playwright] : playwright;
const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
if (error !== undefined) console.error(`holdfast: ${error.message}`);
else if (status === 0) console.log('holdfast: the pictures are in test/.results/pictures.');
process.exitCode = status ?? 1;
