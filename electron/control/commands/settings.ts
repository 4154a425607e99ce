import { z } from 'zod';
import { command } from '../command.ts';
import { nothing } from '../inputs.ts';

export const SETTING_COMMANDS = {
  snapshot: command(nothing, (context) => context.snapshot(), { inWindow: true }),
  /** Gates calls; publishes nothing. */
  pause: command(
    z.strictObject({ minutes: z.int().min(1).max(10_080).optional() }),
    async (context, { minutes }) => {
      const at = context.now();
      const until = minutes === undefined ? null : new Date(Date.parse(at) + minutes * 60_000).toISOString();
      await context.dispatch({ type: 'paused', at, until, reason: 'person' });
      return { paused: true, until };
    },
    { inWindow: true },
  ),
  resume: command(
    nothing,
    async (context) => {
      await context.dispatch({ type: 'resumed', at: context.now() });
      return { paused: false };
    },
    { inWindow: true },
  ),
  language: command(
    z.strictObject({ language: z.enum(['en', 'zh-CN']) }),
    async (context, { language }) => {
      await context.dispatch({ type: 'language', at: context.now(), language });
      return { language };
    },
    { inWindow: true },
  ),
} as const;
