// `npm start`: builds, then runs the tray app, or the gateway without a window where there can be none.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { electronExecutable } from '../../test/support/get-runtime.mjs';
import { build } from './build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const graceMs = 10_000;

function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

function headless(reason) {
  console.error(`holdfast: ${reason} Starting the gateway without a window.`);
  return { command: process.execPath, args: [path.join(root, 'dist/cli.cjs'), 'serve'] };
}

async function chooseProgram() {
  if (!hasDisplay()) return headless('There is no display here.');
  try {
    const command = await electronExecutable();
    // Chromium refuses to start as root with its sandbox on.
    const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    return { command, args: [...flags, root, ...process.argv.slice(2)] };
  } catch (error) {
    return headless(error.message);
  }
}

function forwardSignals(child, isOwnGroup) {
  let isStopping = false;
  const stop = (signal) => {
    // npm forwards what the terminal has sent already; a second signal would cut the program's clean end short.
    if (isStopping) return;
    isStopping = true;
    child.kill(signal);
    setTimeout(() => {
      if (isOwnGroup) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
    }, graceMs).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
  // npm passes SIGTERM on to its shell, and a shell passes it to nobody: then only the change of parent tells.
  const parent = process.ppid;
  if (!process.env['npm_lifecycle_event']) return;
  setInterval(() => {
    if (process.ppid !== parent) stop('SIGTERM');
  }, 500).unref();
}

async function start() {
  await build();
  const { command, args } = await chooseProgram();
  const isOwnGroup = process.platform !== 'win32';
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', detached: isOwnGroup });
  forwardSignals(child, isOwnGroup);
  child.on('error', (error) => {
    console.error(`holdfast: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (status) => {
    process.exitCode = status ?? 0;
  });
}

start().catch((error) => {
  console.error(`holdfast: ${error.message}`);
  process.exitCode = 1;
});
