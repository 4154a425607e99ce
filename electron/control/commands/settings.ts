import { z } from 'zod';
import { asHoldfastError, HoldfastError } from '../../core/errors.ts';
import { TELLS } from '../../core/model.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { nothing } from '../inputs.ts';
import { preferencesOf } from '../snapshot-view.ts';

const settingsInput = z.strictObject({
  tell: z.enum(TELLS).optional(),
  startAtLogin: z.boolean().optional(),
  lookForUpdates: z.boolean().optional(),
});

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
  /** Installs the update that is ready, once no call is under way, and starts the new version. */
  'update.restart': command(
    nothing,
    ({ updates }) => {
      if (updates === undefined) throw new HoldfastError('UPDATE_NONE');
      updates.restart();
      return { restarting: true };
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
  /**
   * What a person is told of, whether Holdfast starts when they sign in, and whether newer versions are looked for. What
   * is left out stays.
   */
  'settings.set': command(settingsInput, (context, input) => setSettings(context, input), { inWindow: true }),
} as const;

async function setSettings(context: CommandContext, input: z.output<typeof settingsInput>) {
  const { tell, startAtLogin, lookForUpdates } = input;
  if (startAtLogin !== undefined) startWithSession(context, startAtLogin);
  if (lookForUpdates !== undefined) await setUpdates(context, lookForUpdates);
  if (tell !== undefined) await context.dispatch({ type: 'tell-set', at: context.now(), tell });
  return preferencesOf(context.state, context);
}

async function setUpdates(context: CommandContext, isOn: boolean): Promise<void> {
  const { updates } = context;
  if (updates === undefined) throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'this program updates nothing' });
  await updates.setOn(isOn);
  context.pushSnapshot();
}

function startWithSession(context: CommandContext, isOn: boolean): void {
  const { login } = context;
  if (login === undefined) throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'only the app starts at login' });
  try {
    login.set(isOn);
  } catch (error) {
    throw asHoldfastError(error);
  }
  context.pushSnapshot();
}
