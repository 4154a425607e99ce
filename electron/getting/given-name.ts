import { cleanName } from '../core/display.ts';

/** A stranger's name as one that a person could have given: what closes off a direction is for showing only. */
export function givenName(name: string): string {
  return cleanName(name).replaceAll(/[\u2068\u2069]/g, '');
}
