/** Words in the name of an input that give a tool power it did not have, or take a safety catch off. */
const DANGEROUS = new Set([
  ...['force', 'forced', 'forceful', 'forcefully', 'forcibly', 'unsafe', 'unsafely', 'dangerous', 'dangerously'],
  ...['insecure', 'bypass', 'privileged', 'destructive', 'irreversible', 'permanent', 'permanently', 'yolo'],
  ...['exec', 'execute', 'eval', 'shell', 'bash', 'powershell', 'cmd', 'cmdline', 'command', 'commands', 'script'],
  ...['executable', 'sudo', 'superuser', 'elevate', 'elevated', 'confirm', 'confirmed', 'confirmation'],
  ...['overwrite', 'purge', 'wipe', 'password', 'passwd', 'pwd', 'passphrase', 'secret', 'secrets'],
  ...['credential', 'credentials', 'creds'],
]);
/** Words that are harmless alone, after one another. */
const DANGEROUS_TOGETHER: readonly RegExp[] = [
  /\b(?:skip|no|ignore|disable|disabled|without|omit) (?:\w+ )?(?:ssl|tls|certs?|certificates?|verify|verification|validate|validation|checks?|confirm|confirmation|prompts?|permissions?|sandbox|security|safety|safeguards?|hooks|approvals?|auth|protection)\b/,
  /\b(?:verify (?:ssl|tls|certificates?)|(?:ssl|tls) verify)\b/,
  /\b(?:auto|always) (?:approve|confirm|accept|run|execute|allow)\b/,
  /\b(?:trust|allow|delete|drop|remove|grant) all\b/,
  /\b(?:allow|enable) (?:writes?|deletes?|deletion|root|any|mutations?)\b|\bwrite enabled\b/,
  /\bpermission mode\b|\bas (?:root|admin|administrator)\b|\bhard (?:delete|reset)\b|\breally sure\b/,
  /\b(?:api|ssh|private|secret|access|signing|encryption) keys?\b|\b(?:access|auth|bearer|refresh|session) tokens?\b/,
];
/** The same, written as one word. */
const DANGEROUS_INSIDE =
  /apikey|accesstoken|authtoken|privatekey|secretkey|sshkey|dangerously|skip(?:permission|verif|valid|confirm|check)|autoapprove|nosandbox|noverify|disable(?:security|safety|sandbox)|ignoressl|trustall|allowwrite|permissionmode|harddelete|deleteall(?!o)|^asroot$/;

/** Does the name of a new input sound dangerous (README, "Severity")? */
export function isDangerousInput(name: string): boolean {
  const words = wordsOf(name);
  const text = words.join(' ');
  return (
    words.some((word) => DANGEROUS.has(word)) ||
    DANGEROUS_TOGETHER.some((pattern) => pattern.test(text)) ||
    DANGEROUS_INSIDE.test(words.join(''))
  );
}

/** A new group of options may be one that other tools have, too: of what is in it, only these count. */
const GRAVE = new Set([
  ...['force', 'forced', 'unsafe', 'dangerous', 'dangerously', 'insecure', 'bypass', 'privileged', 'destructive'],
  ...['exec', 'eval', 'shell', 'sudo', 'yolo'],
]);

/** Does it sound dangerous even somewhere within a new input? */
export function isGraveInput(name: string): boolean {
  return wordsOf(name).some((word) => GRAVE.has(word));
}

/** `allowDangerous` and `allow_dangerous` are two words each, `skipSSLVerify` is three. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
