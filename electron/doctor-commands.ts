import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { HoldfastError } from './core/errors.ts';
import type { Settings } from './core/model.ts';
import { examine } from './doctor/checks.ts';
import { diagnostics } from './doctor/diagnostics.ts';
import { stateOf, type Facts } from './doctor/facts.ts';
import { lookAtMachine } from './doctor/look.ts';
import { report } from './doctor/report.ts';
import { doctorPorts } from './doctor-ports.ts';

interface Place {
  readonly home: string;
  /** The bridge of this version. */
  readonly bridgeSource: string;
}

/** Commands that run here whatever the state of the data folder, and change nothing in it. */
export const LOCAL_COMMANDS: Readonly<
  Record<string, (place: Place, input: Readonly<Record<string, unknown>>) => Promise<unknown>>
> = {
  doctor: async ({ home, bridgeSource }) => {
    const facts = await lookAtMachine(doctorPorts(home, bridgeSource));
    return report(examine(facts), languageOf(facts));
  },
  diagnostics: (place, { output }) => writeDiagnostics(place, typeof output === 'string' ? output : undefined),
};

/** Lines of history and calls that are counted. */
const MAX_LINES = 20_000;

const ABOUT: Readonly<Record<Settings['language'], string>> = {
  en: 'It holds versions, counts, states, timings and what the doctor found; it holds no names, paths, arguments, keys or texts of yours or of your servers.',
  'zh-CN': '其中有版本、数量、状态、耗时和检查结果，不含你或服务的名称、路径、参数、密钥或文字。',
};

/** @throws HoldfastError FILE_EXISTS, FILE_NOT_WRITTEN */
async function writeDiagnostics({ home, bridgeSource }: Place, output: string | undefined): Promise<object> {
  const ports = doctorPorts(home, bridgeSource);
  const facts = await lookAtMachine(ports);
  const file = path.resolve(output ?? `holdfast-diagnostics-${facts.at.slice(0, 10)}.json`);
  const content = diagnostics({
    facts,
    findings: examine(facts),
    system: { platform: process.platform, arch: process.arch, release: os.release() },
    journal: orNone(() => ports.journal(MAX_LINES)),
    calls: orNone(() => ports.calls(MAX_LINES)),
  });
  const text = `${JSON.stringify(content, null, 1)}\n`;
  writeNew(file, text);
  return { file, bytes: Buffer.byteLength(text), about: ABOUT[languageOf(facts)] };
}

function languageOf(facts: Facts): Settings['language'] {
  return stateOf(facts)?.settings.language ?? 'en';
}

function orNone<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch {
    return []; // a folder that cannot be read is among what the doctor found
  }
}

/** Never over a file that is there, and for this user alone; half a file does not stay. */
function writeNew(file: string, text: string): void {
  try {
    const handle = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(handle, text);
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')
      throw new HoldfastError('FILE_EXISTS', { file }, { cause });
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new HoldfastError('FILE_NOT_WRITTEN', { file, reason, system: reason }, { cause });
  }
}
