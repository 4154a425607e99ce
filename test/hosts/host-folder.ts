import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { HoldfastError } from '../../electron/core/errors.ts';
import { connectHost, disconnectHost } from '../../electron/hosts/config-file.ts';
import { hostAppsAccess } from '../../electron/hosts/host-apps-access.ts';
import { hostApps } from '../../electron/hosts/host-apps.ts';
import type { HostApp } from '../../electron/hosts/host-apps.ts';
import { chooseFiles } from '../../electron/hosts/host-paths.ts';
import type { ConnectHostRequest, HostEditResult } from '../../electron/hosts/host-request.ts';

export const OWNER = 'gw-1f0c';
export const ENTRY = {
  command: '/opt/holdfast/bin/holdfast-bridge',
  args: ['--consumer', 'claude-desktop', '--owner', OWNER],
};

const FIXTURES = path.join(import.meta.dirname, 'fixtures');

export function fixture(name: string): Buffer {
  return fs.readFileSync(path.join(FIXTURES, name));
}

/** A home folder of its own with Claude's settings folder, and Holdfast's data folder beside it. */
export class HostFolder {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-hosts-')));
  readonly config = path.join(this.root, 'home', '.config');
  readonly claude = path.join(this.config, 'Claude');
  readonly data = path.join(this.root, 'data');
  file = path.join(this.claude, 'claude_desktop_config.json');

  constructor(content?: string | Buffer) {
    fs.mkdirSync(this.claude, { recursive: true });
    if (content !== undefined) this.write(content);
    onTestFinished(() => fs.rmSync(this.root, { recursive: true, force: true }));
  }

  write(content: string | Buffer): void {
    fs.writeFileSync(this.file, content);
  }

  bytes(): Buffer {
    return fs.readFileSync(this.file);
  }

  text(): string {
    return this.bytes().toString('utf8');
  }

  connect(options: Partial<ConnectHostRequest> = {}): HostEditResult {
    return connectHost({ ...this.request(), entryName: 'holdfast', entry: ENTRY, ...options });
  }

  disconnect(options: { now?: string; dryRun?: boolean } = {}): HostEditResult {
    return disconnectHost({ ...this.request(), ...options });
  }

  backups(): string[] {
    return list(path.join(this.data, 'backups', 'claude-desktop')).filter((name) => name.endsWith('.bak'));
  }

  records(): string[] {
    return list(path.join(this.data, 'hosts'));
  }

  /** Everything below the root with its content, to show that nothing at all was written. */
  everything(): Record<string, string> {
    const names = fs.readdirSync(this.root, { recursive: true }).map(String).sort();
    return Object.fromEntries(names.map((name) => [name, describeFile(path.join(this.root, name))]));
  }

  request() {
    return {
      hostId: 'claude-desktop',
      file: this.file,
      owner: OWNER,
      backupsDir: path.join(this.data, 'backups'),
      recordsDir: path.join(this.data, 'hosts'),
      now: '2026-11-30T10:17:00.000Z',
    };
  }
}

/** What a refused edit says. */
export function refusal(edit: () => unknown): { code: string } & Record<string, string | number | undefined> {
  try {
    edit();
  } catch (error) {
    if (error instanceof HoldfastError) return { ...error.details, code: error.code };
    throw error;
  }
  throw new Error('the edit was not refused');
}

function list(folder: string): string[] {
  return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
}

function describeFile(file: string): string {
  const stat = fs.lstatSync(file);
  if (stat.isSymbolicLink()) return `link to ${fs.readlinkSync(file)}`;
  if (!stat.isFile()) return 'not a file';
  return `${stat.mode.toString(8)} ${stat.mtimeMs} ${fs.readFileSync(file).toString('base64')}`;
}

/** A home folder with everything installed and nothing set up, and Holdfast's access to the apps in it. */
export class UserHome {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-home-')));
  readonly home = path.join(this.root, 'home');
  readonly data = path.join(this.root, 'data');
  readonly env: Record<string, string> = {};
  /** What is running; the real processes of this machine are no part of a test. */
  programs: string[] = [];
  now = '2026-11-30T10:17:00.000Z';
  bridge = { command: '/opt/holdfast/bridge', args: ['/opt/holdfast/bridge.cjs'], env: {} };

  constructor({ isInstalled = true }: { isInstalled?: boolean } = {}) {
    fs.mkdirSync(this.home, { recursive: true });
    const bin = path.join(this.root, 'bin');
    fs.mkdirSync(bin);
    this.env['PATH'] = bin;
    if (isInstalled) {
      const commands = hostApps().flatMap((app) => app.installed.commands);
      for (const command of commands) fs.writeFileSync(path.join(bin, command), '');
      fs.mkdirSync(path.join(this.home, '.config'));
    }
    onTestFinished(() => fs.rmSync(this.root, { recursive: true, force: true }));
  }

  access() {
    return hostAppsAccess({
      dataDir: this.data,
      home: this.home,
      env: this.env,
      platform: 'linux',
      token: 'secret of this installation',
      bridge: this.bridge,
      now: () => this.now,
      programs: () => this.programs,
    });
  }

  fileOf(app: HostApp): string {
    return chooseFiles(app, { platform: 'linux', home: this.home, env: this.env }, list).files[0] ?? '';
  }

  write(file: string, content: string | Buffer): void {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }

  connect(app: string, dryRun = false): HostEditResult {
    return this.access().connect(app, { dryRun });
  }

  disconnect(app: string, dryRun = false): HostEditResult {
    return this.access().disconnect(app, { dryRun });
  }

  /** The command line that an entry of that app has to have. */
  start(app: string): string[] {
    const { command, args } = this.bridge;
    const owner = `hf-${createHash('sha256').update('owner secret of this installation').digest('hex').slice(0, 12)}`;
    return [command, ...args, 'connect', app, '--home', this.data, '--owner', owner];
  }

  /** The command line of an entry, whatever its form. */
  startOf(entry: unknown): unknown[] {
    const { command, cmd, args = [] } = entry as { command?: unknown; cmd?: unknown; args?: unknown[] };
    return [command ?? cmd, args].flat();
  }

  everything(): Record<string, string> {
    const names = fs.readdirSync(this.root, { recursive: true }).map(String).sort();
    return Object.fromEntries(names.map((name) => [name, describeFile(path.join(this.root, name))]));
  }
}
