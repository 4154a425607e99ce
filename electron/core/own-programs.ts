/**
 * Command of the demo server that comes with Holdfast. It is no file: whatever runs the gateway starts it, so that it goes on
 * working when the program moves, and decisions about it stay.
 */
export const DEMO_PROGRAM = 'holdfast-demo';

/** How far the demo's clock has been changed: as it comes, a little, or in a way that needs care. */
export const DEMO_CHANGES = ['none', 'small', 'careful'] as const;
export type DemoChange = (typeof DEMO_CHANGES)[number];

/** Whether a server's command is a program of Holdfast's own, which nobody has to install. */
export function isOwnProgram(command: string): boolean {
  return command === DEMO_PROGRAM;
}
