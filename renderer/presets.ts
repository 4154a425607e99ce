import type { Preset } from '../electron/core/model.ts';

/** In the order in which they are offered, the tightest first. */
export const PRESETS: readonly Preset[] = ['review', 'follow-safe', 'follow'];
