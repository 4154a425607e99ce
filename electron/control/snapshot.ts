import type {
  Change,
  ConsumerId,
  Decision,
  IncidentId,
  Kind,
  Preset,
  ReviewId,
  ServerId,
  Severity,
  Tell,
  WithheldReason,
} from '../core/model.ts';
import type { HostTrouble } from '../hosts/host-trouble.ts';
import type { Cause } from '../core/causes.ts';
import type { DemoChange } from '../core/own-programs.ts';
import type { FoundApp } from '../hosts/found-apps.ts';
import type { ReadyUpdate } from './updates-port.ts';
import type { Keeping } from '../store/secrets.ts';
import type { ServerCause } from './server-cause.ts';

/** What one review item is, for window, tray, notification and command line alike. */
export interface ReviewView {
  readonly id: ReviewId;
  readonly app: ConsumerId;
  readonly appName: string;
  readonly server: ServerId;
  readonly serverName: string;
  readonly kind: Kind;
  readonly originKey: string;
  /** What a person calls it: the definition's title, else its name made readable. */
  readonly title: string;
  readonly ref: string;
  readonly fromId: string | null;
  readonly targetId: string;
  readonly severity: Severity;
  /** It waits, and is a tool that a person approved as read-only, last, and that says so now. */
  readonly isReadOnly: boolean;
  readonly state: 'pending' | 'approved' | 'kept-off' | 'superseded';
  /** Never notifies, never counts in the tray. */
  readonly quiet: boolean;
  readonly incident: IncidentId | null;
  readonly at: string | null;
  /** Sequence of the decision that undo would take out. */
  readonly decision: number | null;
  /** Who made it. */
  readonly decidedBy: Decision['by'] | null;
  /** It waits, and no app has used it for 30 days: it stays off until it is needed. */
  readonly isUnused: boolean;
  readonly change: Change;
}

/** One of the two sides of a change of names. */
export interface NamedView {
  readonly ref: string;
  readonly title: string;
}

/**
 * What went while an app wanted it, and what may go on for it: only a person says so. `renamed`: one of those that are
 * new, if any. `merged`: several became one, also such as were not used. `split`: one became several.
 */
export interface ContinuityView {
  readonly type: 'renamed' | 'merged' | 'split';
  /** Of exactly these refs and definitions. */
  readonly id: `con-${string}`;
  readonly kind: Kind;
  readonly serverName: string;
  readonly apps: readonly string[];
  readonly old: readonly (NamedView & { readonly wasUsed: boolean })[];
  readonly now: readonly (NamedView & {
    /** The server itself says so, or it is a guess. */
    readonly basis: 'told' | 'guess';
    /** What is different beyond the name. */
    readonly severity: Severity;
    readonly sentences: Change['sentences'];
  })[];
}

export interface ServerView {
  readonly id: ServerId;
  readonly name: string;
  readonly version: string | null;
  readonly state: 'idle' | 'starting' | 'working' | 'problem';
  /** One plain sentence, where the state is `problem`. */
  readonly problem: string | null;
  /** What is wrong with it, as far as there is a fix for it; `null` where nothing is. */
  readonly cause: ServerCause | null;
  readonly tools: number;
  readonly policy: Preset;
  /** The person approved two small changes of it, and may be asked to let them all through. */
  readonly offersAlways: boolean;
  /** It comes with Holdfast, to be tried out. */
  readonly isExample?: true;
}

/** What an app last fetched. */
export interface FetchedView {
  /** When it got that; `null` where that was not written down. */
  readonly at: string | null;
  /** Whether that is what is in force, in every process of it; `null` where that cannot be told. */
  readonly isCurrent: boolean | null;
}

export interface AppView {
  readonly id: ConsumerId;
  readonly name: string;
  readonly connected: number;
  readonly entries: number;
  readonly epoch: number;
  /** `null` where it never asked for a list. */
  readonly fetched: FetchedView | null;
  /** Its settings no longer name Holdfast, or cannot be read. */
  readonly trouble: HostTrouble | null;
  /** Holdfast can restart it, once the person says so. */
  readonly canRestart?: true;
  readonly withheld: readonly { readonly title: string; readonly kind: Kind; readonly reason: WithheldReason }[];
}

/** Changes of one incident that have one cause and wait aloud; they may be decided together. */
export interface OpenGroup {
  /** Takes the place of a review's id where they are decided, with those of `reviews` that were shown. */
  readonly id: string;
  readonly cause: Cause;
  readonly reviews: readonly ReviewId[];
}

/** One upgrade of a server of which something waits aloud: one thing to look at, however many changes it has. */
export interface OpenIncident {
  readonly id: IncidentId;
  readonly serverName: string;
  readonly fromVersion: string | null;
  readonly toVersion: string | null;
  /** The gravest first. What is `careful` is never approved together, nor what is `claims` with the rest. */
  readonly groups: readonly OpenGroup[];
  /** How many that are wanted it took away, and are still gone. */
  readonly missing: number;
  /** How many came with it quietly and wait until they are needed. */
  readonly quiet: number;
}

/** What a notification or the tray opens: one review, all of one incident, a change of names, or a screen of the window. */
export type Place = ReviewId | IncidentId | ContinuityView['id'] | 'inbox' | 'servers' | 'apps';

/** What a notification would tell, told in the window instead, because the person looks at it. */
export interface Banner {
  readonly title: string;
  readonly body: string;
  readonly openLabel: string;
  /** What its button opens. */
  readonly place: Place;
  /** What it asks about; it goes once none of that waits. Empty where it asks nothing. */
  readonly reviews: readonly ReviewId[];
}

/** Where the story of the demo is: which change was asked for, and what has come of it. */
export interface DemoStory {
  readonly change: DemoChange;
  readonly state: 'coming' | 'waiting' | 'decided';
}

/** What first run knows: the apps found, then what came of setting them up, then the first call, then a change. */
export interface SetupView {
  readonly step: 'found' | 'done' | 'try' | 'story';
  /** Those that were found; from `done` on those that are connected. */
  readonly apps: readonly (FoundApp & { readonly isExample?: boolean; readonly canRestart?: true })[];
  readonly working: number;
  readonly all: number;
  /** The first app that used the clock. */
  readonly usedBy: string | null;
  readonly story: DemoStory | null;
}

/** Pushed whole to the window after every commit; small, never merged there. */
export interface Snapshot {
  readonly sequence: number;
  readonly language: 'en' | 'zh-CN';
  readonly tray: 'ok' | 'attention' | 'error' | 'paused';
  /** Pending, not quiet. */
  readonly waiting: number;
  /** By ref, when an app last used or tried what waits; there where so much waits that it has to be caught up on. */
  readonly lastUsed?: Readonly<Record<string, string>>;
  readonly readyTools: number;
  readonly reviews: readonly ReviewView[];
  /** Those of which something waits aloud, oldest first. */
  readonly incidents: readonly OpenIncident[];
  readonly continuity: readonly ContinuityView[];
  /** Vanished capabilities that are still wanted: a notice, not a question. */
  readonly missing: readonly { readonly app: string; readonly serverName: string; readonly title: string }[];
  readonly servers: readonly ServerView[];
  readonly apps: readonly AppView[];
  /** Plain sentences about something the person should know, such as restored settings. */
  readonly notices: readonly string[];
  /**
   * How the keys that servers were given are kept: with the system's key store, in a file that only this user can read,
   * or sealed and not to be opened, each for its reason; `none` where no server has any.
   */
  readonly keys: 'none' | Keeping;
  readonly preferences: PreferencesView;
  /** A newer version that is downloaded and waits for a restart. */
  readonly update?: ReadyUpdate;
  /** There until first run is over. */
  readonly setup?: SetupView;
}

export interface PreferencesView {
  readonly tell: Tell;
  /** `null` where this program cannot be started at login, such as one without a window. */
  readonly startAtLogin: boolean | null;
  /** Left out where this program is not updated by itself. */
  readonly lookForUpdates?: boolean;
}
