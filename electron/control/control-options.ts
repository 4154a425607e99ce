import type { HoldfastError } from '../core/errors.ts';
import type { IncidentId } from '../core/model.ts';
import type { Mask } from '../core/redact.ts';
import type { Store } from '../store/store.ts';
import type { CommandContext, LoginStart, SecretsPort } from './context.ts';
import type { GettingPort } from './getting-port.ts';
import type { HostAppsPort } from './host-apps-port.ts';
import type { OwnPrograms } from './own-start.ts';
import type { SetupPort } from './setup.ts';
import type { Snapshot } from './snapshot.ts';
import type { UpdatesPort } from './updates-port.ts';

/** What the control plane is built with: ports of what it does not do itself, and who hears of it. */
export interface ControlOptions {
  readonly store: Store;
  readonly dataDir: string;
  readonly secrets: SecretsPort;
  readonly hosts: HostAppsPort;
  readonly setup?: SetupPort;
  readonly getting: GettingPort;
  readonly updates?: UpdatesPort | undefined;
  /** Takes keys out of what a person is shown. */
  readonly mask: Mask;
  /** The newest calls, newest first; what `isWanted` says no to is left out. */
  readonly recentCalls: CommandContext['recentCalls'];
  readonly now: () => string;
  readonly random: (length: number) => string;
  /** How programs of Holdfast's own are started, by the command of a server. */
  readonly ownPrograms?: OwnPrograms;
  /** Key of the digests of launch configurations, so that they give no hint at the values behind them. */
  readonly digestKey: string;
  /** Starting with the session, where this program can. */
  readonly login?: LoginStart;
  /** After every commit and every change of a server's state. */
  readonly onSnapshot?: (snapshot: Snapshot) => void;
  /** An incident that a person should hear of. */
  readonly onNotice?: (incident: IncidentId) => void;
  readonly onProblem?: (error: HoldfastError) => void;
}
