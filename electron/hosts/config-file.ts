import path from 'node:path';
import { HoldfastError } from '../core/errors.ts';
import { saveBackup } from './backups.ts';
import { planConnect, planDisconnect } from './config-plan.ts';
import type { Plan } from './config-plan.ts';
import { decode } from './encoding.ts';
import { carriesOwner } from './entry.ts';
import { hostApp } from './host-apps.ts';
import type { HostApp } from './host-apps.ts';
import type { ConnectHostRequest, DisconnectHostRequest, HostEditResult, HostFileRequest } from './host-request.ts';
import { lineDiff } from './line-diff.ts';
import { deleteRecord, readRecord, stageRecord } from './ownership.ts';
import { HostConfigProblem } from './problem.ts';
import { pause } from './safe-file.ts';
import { asProblem, clearLeftovers, deleteTarget, readTarget, refuseProtected, replaceTarget } from './target-file.ts';
import type { TargetFile } from './target-file.ts';

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 10;
const MAX_NEW_FOLDERS = 4;

/**
 * Writes our entry into a host app's settings file, or brings it up to date. Idempotent: a second call writes nothing.
 * Throws HOST_CONFIG_UNREADABLE or HOST_CONFIG_CONFLICT, with the file untouched.
 */
export function connectHost(request: ConnectHostRequest): HostEditResult {
  if (!carriesOwner(request.entry, request.owner)) {
    throw new HoldfastError('INTERNAL', { reason: 'the entry does not carry its owner token' });
  }
  const app = supportedApp(request.hostId);
  return edit(request, app, 'connect', (target) => planConnect(app, request, target, readRecord(request)));
}

/**
 * Takes our entry out again. Where nothing else changed since, the very bytes from before come back, and a file that
 * we made goes; otherwise exactly our entry is cut. `changed: false` where no entry of ours is there.
 */
export function disconnectHost(request: DisconnectHostRequest): HostEditResult {
  const app = supportedApp(request.hostId);
  return edit(request, app, 'disconnect', (target) => planDisconnect(app, request, target, readRecord(request)));
}

function supportedApp(hostId: string): HostApp {
  const app = hostApp(hostId);
  if (!app) throw new HoldfastError('HOST_UNSUPPORTED', { app: hostId });
  return app;
}

function maxNewFolders({ isInstalled }: HostFileRequest): number {
  if (isInstalled === undefined) return 1;
  return isInstalled ? MAX_NEW_FOLDERS : 0;
}

type Reason = 'connect' | 'disconnect';

// Every attempt starts from what is in the file now: the host app may have written it in the meantime.
function edit(
  request: HostFileRequest,
  { lock }: HostApp,
  reason: Reason,
  makePlan: (target: TargetFile) => Plan,
): HostEditResult {
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const target = readTarget(request.file, maxNewFolders(request), lock);
      const plan = makePlan(target);
      if (!request.dryRun) clearLeftovers(target);
      if (!plan.changed) return finishUnchanged(request, reason, plan);
      refuseProtected(target);
      if (request.dryRun) return { ...resultOf(request, plan), diff: diffOf(request, target, plan) };
      const backup = backUp(request, reason, target);
      if (commit(request, target, plan, backup)) return resultOf(request, plan, backup);
      pause(FIRST_PAUSE_MS * 2 ** attempt);
    }
    throw new HostConfigProblem('BUSY', 'The app keeps changing this file. Quit it completely and try again.');
  } catch (error) {
    throw asHoldfastError(request.file, error);
  }
}

function finishUnchanged(request: HostFileRequest, reason: Reason, plan: Plan): HostEditResult {
  if (request.dryRun) return { ...resultOf(request, plan), diff: '' };
  if (reason === 'disconnect') deleteRecord(request);
  return resultOf(request, plan);
}

function diffOf(request: HostFileRequest, target: TargetFile, plan: Plan): string {
  const before = target.content && decode(target.content.bytes).text;
  const after = plan.bytes && decode(plan.bytes).text;
  return lineDiff(request.file, before, after);
}

function backUp(request: HostFileRequest, reason: Reason, target: TargetFile): string | undefined {
  if (!target.content) return undefined;
  const { bytes, sha, identity } = target.content;
  const about = { file: request.file, realPath: target.realPath, sha256: sha, mode: identity.mode & 0o7777 };
  return inOwnStore(() =>
    saveBackup(path.join(request.backupsDir, request.hostId), { ...about, bytes, reason, at: request.now }),
  );
}

// False where the file was changed by someone else since it was read.
function commit(request: HostFileRequest, target: TargetFile, plan: Plan, backup: string | undefined): boolean {
  if (!plan.bytes) {
    const isDeleted = deleteTarget(target, plan.foldersToRemove);
    if (isDeleted) deleteRecord(request);
    return isDeleted;
  }
  const { record } = plan;
  const staged =
    record && inOwnStore(() => stageRecord(request, { ...record, backup: record.backup ?? backup ?? null }));
  try {
    if (!replaceTarget(target, plan.bytes)) return false;
    if (staged) inOwnStore(() => staged.commit());
    else deleteRecord(request);
    return true;
  } finally {
    staged?.discard();
  }
}

function resultOf(request: HostFileRequest, plan: Plan, backup?: string): HostEditResult {
  return {
    app: request.hostId,
    file: request.file,
    changed: plan.changed,
    ...(backup === undefined ? {} : { backup }),
    entry: plan.entryName,
    needsRestart: plan.changed && plan.needsRestart,
    ...(plan.moved.length === 0 ? {} : { moved: plan.moved }),
    dryRun: request.dryRun ?? false,
    notes: plan.changed ? plan.notes : [],
    ...(plan.notes.some(({ code }) => code === 'bom-dropped') ? { droppedBom: true as const } : {}),
  };
}

// Backups and records are ours: a failure there says nothing about the host app's file.
function inOwnStore<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw new HoldfastError('STORE_WRITE_FAILED', { reason: reasonOf(cause) }, { cause });
  }
}

function asHoldfastError(file: string, error: unknown): HoldfastError {
  if (error instanceof HoldfastError) return error;
  const problem = asProblem(error);
  if (!(problem instanceof HostConfigProblem)) {
    const details = { file, problem: 'IO', hint: reasonOf(error) };
    return new HoldfastError('HOST_CONFIG_UNREADABLE', details, { cause: error });
  }
  const { code, line, column, message: hint } = problem;
  const isAboutWriting = ['BUSY', 'READ_ONLY', 'NO_SPACE'].includes(code);
  const errorCode = isAboutWriting ? 'HOST_CONFIG_CONFLICT' : 'HOST_CONFIG_UNREADABLE';
  return new HoldfastError(errorCode, { file, problem: code, line, column, hint }, { cause: error });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
