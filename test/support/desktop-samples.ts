import type { ReviewView, Snapshot } from '../../electron/control/snapshot.ts';
import type { Fact, Severity } from '../../electron/core/model.ts';

/** What differs from a changed Fetch page of Exa, waiting in Claude. Ids may be written plainly. */
export type ReviewSample = Partial<Omit<ReviewView, 'id' | 'app' | 'incident' | 'change'>> & {
  readonly id?: string;
  readonly app?: string;
  readonly incident?: string | null;
  readonly change?: Partial<ReviewView['change']>;
};

const SENTENCES = { en: ['What it says about itself has changed.'], 'zh-CN': ['它的自我说明有变化。'] };

export function review({ change, ...given }: ReviewSample = {}): ReviewView {
  const severity: Severity = given.severity ?? 'review';
  const view = {
    id: 'rev-1',
    app: 'claude',
    appName: 'Claude',
    server: 'srv-1',
    serverName: 'Exa',
    kind: 'tool',
    originKey: 'fetch_page',
    title: 'Fetch page',
    ref: 'srv-1/tool/fetch_page',
    fromId: 'sha256:1',
    targetId: 'sha256:2',
    state: 'pending',
    quiet: false,
    isReadOnly: true,
    incident: 'inc-1',
    at: '2026-09-01T10:00:00.000Z',
    decision: null,
    isUnused: false,
    ...given,
    severity,
    change: {
      kind: 'tool',
      originKey: 'fetch_page',
      change: 'changed',
      severity,
      facts: [],
      sentences: SENTENCES,
      ...change,
    },
  };
  return view as ReviewView; // plain strings stand for branded ids
}

/** A hint that flipped. */
export function hint(name: string, after: boolean): Fact {
  const isRiskier = after === (name === 'destructiveHint' || name === 'openWorldHint');
  return {
    class: `hint.${name}.${isRiskier ? 'claimsRiskier' : 'claimsSafer'}`,
    path: `/definition/annotations/${name}`,
    before: !after,
    after,
    severity: 'security',
  };
}

export function snapshot(given: Partial<Snapshot> = {}): Snapshot {
  return {
    sequence: 1,
    language: 'en',
    tray: 'ok',
    waiting: 0,
    readyTools: 12,
    reviews: [],
    incidents: [],
    continuity: [],
    missing: [],
    servers: [],
    apps: [],
    notices: [],
    keys: 'none',
    preferences: { tell: 'all', startAtLogin: false },
    ...given,
  };
}
