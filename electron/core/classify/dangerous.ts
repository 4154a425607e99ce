/** Words in the name of an input that give a tool power it did not have, or take a safety catch off. */
const DANGEROUS = new Set([
  ...['force', 'forced', 'unsafe', 'dangerous', 'dangerously', 'insecure', 'bypass', 'privileged', 'destructive'],
  ...['exec', 'execute', 'eval', 'shell', 'cmd', 'command', 'sudo', 'irreversible', 'permanent', 'permanently'],
  ...['confirm', 'confirmed', 'confirmation', 'overwrite', 'purge', 'wipe', 'password', 'passphrase', 'secret'],
  ...['credential', 'credentials'],
]);
/** Two words that are harmless alone. */
const DANGEROUS_PAIRS = new Set([
  'api key',
  'private key',
  'access token',
  'auth token',
  'skip verification',
  'no verify',
  'skip checks',
]);

/** Does the name of a new input sound dangerous (README, "Severity")? */
export function isDangerousInput(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word, at) => DANGEROUS.has(word) || DANGEROUS_PAIRS.has(`${word} ${words[at + 1] ?? ''}`));
}

/** `allowDangerous` and `allow_dangerous` are two words each. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
