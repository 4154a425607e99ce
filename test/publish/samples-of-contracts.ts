import type { JsonObject, Kind, KindOutcome, Observation, Route, ServerId } from '../../electron/core/model.ts';
import { contractOf, fingerprintOf, type Contract, type Program } from '../../electron/publish/contract.ts';
import { masksFor } from '../../electron/publish/secrets.ts';

export const PROGRAM: Program = { command: 'node', args: ['./dist/server.js'], env: {} };

/** One entry as a list would show it. */
export interface Listed {
  readonly kind: Kind;
  readonly originKey: string;
  readonly definition: JsonObject;
}

export const tool = (name: string, rest: JsonObject = {}): Listed => ({
  kind: 'tool',
  originKey: name,
  definition: { name, description: `does ${name}`, inputSchema: { type: 'object' }, ...rest },
});

/** Kinds without entries are complete and empty, unless `outcomes` says otherwise. */
export function contract(
  listed: readonly Listed[],
  { program = PROGRAM, outcomes = {} }: { program?: Program; outcomes?: Partial<Record<Kind, KindOutcome>> } = {},
): Contract {
  const outcomeOf = (kind: Kind): KindOutcome => {
    const items = listed.filter((each) => each.kind === kind);
    if (items.length === 0) return { status: 'complete-empty' };
    return { status: 'complete', items: items.map((item) => ({ ...item, id: fingerprintOf(item) })) };
  };
  const kinds = {
    tool: outcomeOf('tool'),
    prompt: outcomeOf('prompt'),
    resource: outcomeOf('resource'),
    resourceTemplate: outcomeOf('resourceTemplate'),
    instructions: outcomeOf('instructions'),
    ...outcomes,
  };
  const observation: Observation = {
    server: 'any' as ServerId,
    consumer: null,
    connection: 'c',
    route: 'any' as Route,
    context: { era: '2025', capabilities: '', launch: '', signedIn: false },
    version: '1.0.0',
    kinds,
  };
  return contractOf(observation, { name: 'demo', version: '1.0.0' }, program, masksFor(program));
}
