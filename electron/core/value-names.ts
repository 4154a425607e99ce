/** What can be the name of an environment variable. */
export const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SECRET = /key|token|secret|pass|auth|cred|cookie|session|pat$/i;

export function isEnvName(name: string): boolean {
  return ENV_NAME.test(name);
}

/** True for the name of a value that is likely to be a key. */
export function soundsSecret(name: string): boolean {
  return SECRET.test(name);
}
