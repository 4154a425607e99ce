import { faultsOf, report } from './report.ts';
import { soak } from './soak.ts';

const DEFAULT_SECONDS = 600;

/** Runs the soak, prints its report, and gives the exit status. */
export async function main(): Promise<number> {
  if (process.platform !== 'linux') {
    process.stderr.write('The soak looks at processes through /proc, so it runs on Linux only.\n');
    return 2;
  }
  const seconds = Number(process.env['HOLDFAST_SOAK_SECONDS'] ?? DEFAULT_SECONDS);
  const seed = Number(process.env['HOLDFAST_SEED'] ?? Date.now() % 2 ** 31);
  const tell = (line: string): void => void process.stdout.write(`${line}\n`);
  tell(`A soak of ${seconds} s, seed ${seed}.`);
  const outcome = await soak({ seconds, seed, tell });
  tell(`\n${report(outcome)}`);
  return faultsOf(outcome).length === 0 ? 0 : 1;
}
