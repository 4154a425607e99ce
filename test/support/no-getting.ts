import type { GettingPort } from '../../electron/control/getting-port.ts';
import { HoldfastError } from '../../electron/core/errors.ts';

const refuse = (): never => {
  throw new HoldfastError('OFFER_REFUSED', { refusal: 'gone' });
};

/** For a control plane that gets no servers from files, links or lists. */
export const NO_GETTING: GettingPort = {
  open: refuse,
  search: refuse,
  pick: refuse,
  laidOut: refuse,
  taken: refuse,
  drop: refuse,
  isVersionOf: () => false,
  writeHostBundle: refuse,
};
