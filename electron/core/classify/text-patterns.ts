/**
 * What in a text is after the model or after secrets, as patterns over plain text (`plainText`). No pattern has nested
 * repetition, and gaps are bounded, so that a text costs no more than its length.
 */

/** All matches of all patterns, word for word. */
export const matchesOf =
  (patterns: readonly RegExp[]) =>
  (text: string): string[] =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([match]) => match));

const IGNORES = String.raw`\b(?:ignore|disregard|forget|override|overrule|bypass)\b`;
const RULES = String.raw`(?:instructions?|prompts?|rules?|guidelines?|directives?|restrictions)`;
const PERSON = String.raw`\b(?:user|human|person)\b`;
const NOT = String.raw`\b(?:do not|don't|never|must not|without)\b`;
const CALLS = String.raw`(?:use|using|call|calling|invoke|invoking|run|running)`;
const ADDRESS = String.raw`[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]{2}`;

const orders = (...sources: readonly string[]): RegExp[] => sources.map((source) => new RegExp(source, 'giu'));

/** Orders to the model: what to forget, hide, prefer, skip or pass on. */
export const INSTRUCTIONS: readonly RegExp[] = orders(
  // To forget what it was told.
  String.raw`${IGNORES}[^.\n]{0,40}\b(?:previous|prior|above|preceding|earlier)\b[^.\n]{0,30}\b(?:${RULES}|messages?|context)\b`,
  String.raw`${IGNORES}(?: (?:all|any|every|of|the|your|other|these|those|system|safety|developer)){1,4} ${RULES}\b`,
  String.raw`${IGNORES}(?: (?:all|any|every|the)){0,2} other tools\b`,
  String.raw`\b(?:you are now\b|from now on,? you\b|new instructions?:|system prompt:)`,
  String.raw`<\/?(?:important|system|secret|instructions?|assistant|hidden)\b[^>\n]{0,60}>`,
  String.raw`\[\/?(?:inst|system)\]|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|<<\/?sys>>`,
  String.raw`(?:忽略|无视|無視|忘记|忘記)[^。\n]{0,8}(?:之前|先前|以上|上述|前面|此前|所有|一切|系统)[^。\n]{0,8}(?:指令|指示|提示|规则|規則)`,
  String.raw`\b(?:ignoriere|ignorieren|vergiss|missachte)\b[^.\n]{0,20}\b(?:alle|vorherigen|bisherigen|obigen)\b[^.\n]{0,20}\b(?:anweisungen|instruktionen|regeln)\b`,
  String.raw`\bignore[zr]?\b[^.\n]{0,20}\binstructions pr[ée]c[ée]dentes\b|\bignora\b[^.\n]{0,20}\binstrucciones (?:anteriores|previas)\b`,
  // To keep something from the person.
  String.raw`${NOT}[^.\n]{0,25}\b(?:tell|inform|telling|informing|notify|notifying|asking)\b[^.\n]{0,25}${PERSON}`,
  String.raw`${NOT}[^.\n]{0,25}\b(?:mention|mentioning|reveal|revealing) (?:to|this|it|that|any of|anything)\b[^.\n]{0,25}${PERSON}`,
  String.raw`\b(?:keep|hide|conceal)\b[^.\n]{0,30}\bfrom (?:the )?${PERSON}`,
  String.raw`\b(?:secretly|silently|covertly) (?:send|copy|forward|upload|pass|include|add|read|collect)\b`,
  String.raw`(?:不要|别|勿|不得)[^。\n]{0,4}(?:告诉|告訴|告知|通知|透露)[^。\n]{0,6}(?:用户|用戶|使用者)`,
  String.raw`\b(?:sag|sage|verrate|erzähle)\b[^.\n]{0,12}\b(?:nutzer|benutzer|anwender)\b[^.\n]{0,12}\b(?:nichts|nicht)\b`,
  // To skip the person's consent.
  String.raw`\b(?:do not|don't|never) ask\b[^.\n]{0,20}\b(?:confirmation|permission|approval|consent)\b`,
  String.raw`\buser (?:has|have) already (?:approved|authori[sz]ed|confirmed|consented|agreed|granted)\b`,
  // To prefer this tool, or do something with each use of others.
  String.raw`\b(?:before|after|whenever|instead of)\b[^.\n]{0,25}\b(?:using|calling|invoking|running)\b[^.\n]{0,20}\b(?:any|every|all|another|other)\b[^.\n]{0,20}\btools?\b`,
  String.raw`\b${CALLS} this tool\b[^.\n]{0,15}\b(?:before|instead of)\b (?:any|every|all|other|answering)\b`,
  // To pass on what it knows or reads.
  String.raw`\b(?:pass|send|include|put|provide|append|forward|exfiltrate)\b[^.\n]{0,50}\b(?:conversation history|chat history|system prompt|(?:entire|full|whole) conversation)\b`,
  String.raw`\bbefore ${CALLS} this tool\b[^\n]{0,40}\bread\b[^\n]{0,120}\b(?:pass|send|include|provide)\b`,
  String.raw`\b(?:pass|send|include|put|provide|append)\b (?:its|their) contents? (?:as|in|to)\b`,
  String.raw`\b(?:always|must|secretly|silently|also)\b[^.\n]{0,30}\b(?:b?cc|forward|forwarded|copy|copied|sent)\b[^.\n]{0,20} ${ADDRESS}`,
);

/** Places where passwords and keys are kept. */
export const CREDENTIALS: readonly RegExp[] = [
  /(?:~|\$HOME|%USERPROFILE%)?[/\\]?\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc|pgpass|git-credentials|docker[/\\]config\.json|config[/\\](?:gcloud|gh)|(?:bash|zsh)_history)\b/gi,
  /\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/(?:passwd|shadow|sudoers)\b|\bmcp\.json\b|\bclaude_desktop_config\.json\b/gi,
  /(?<![\w)\]}])\.env(?:\.(?:local|production|development))?(?![\w.]*(?:example|sample|template))(?!\w)/gi,
  /\bAWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN)\b/gi,
  /(?:\bprocess\.env\.|\bos\.environ\b.{0,8}|\$\{?|\bvalue of )(?:[A-Z0-9]{1,20}_){0,5}(?:KEY|TOKEN|SECRET|PASSWORD)\b/g,
  /\b(?:private|server|client|priv)\.key\b|\b[\w-]{1,40}\.(?:pem|p12|pfx|jks|kdbx)\b/gi,
  /\bkeychain\b|\bcredential manager\b|\bLogin Data\b|\b(?:key4\.db|logins\.json|cookies\.sqlite)\b/gi,
  /\bwallet\.dat\b|\b(?:seed|recovery|mnemonic) phrases?\b/gi,
];

const SECRETS = String.raw`(?:api keys?|passwords?|credentials|access tokens?|private keys?|secrets?)\b`;
/** Secrets themselves, and orders to hand them over. */
export const ASKED_SECRETS: readonly RegExp[] = [
  ...orders(
    String.raw`\b(?:include|pass|send|provide|put|insert|append|share|submit)\b[^.\n]{0,25}\b(?:user|human|person)'?s (?:\w+ )?${SECRETS}`,
    String.raw`\bask\b[^.\n]{0,15}${PERSON}[^.\n]{0,15}\b(?:their|his|her|the|a) (?:\w+ )?${SECRETS}`,
  ),
  /\bsk-[\w-]{20,200}|\bgh[pousr]_\w{20,200}|\bAKIA[0-9A-Z]{16}\b|\bxox[abps]-[\w-]{10,200}|-----BEGIN [A-Z ]{0,20}PRIVATE KEY/g,
];

const JOINING =
  String.raw`\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}` +
  String.raw`\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}`;
/**
 * What hides or turns text: the set of `display.ts` but for the ends of lines. What joins emoji, or letters of scripts that
 * are joined, stands beside one; a variation selector follows what it varies.
 */
export const HIDDEN: readonly RegExp[] = [
  new RegExp(
    String.raw`(?![\n\r\t]` +
      String.raw`|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})` +
      String.raw`|(?<=[${JOINING}])[\u200c\u200d]` +
      String.raw`|(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180b-\u180f])` +
      String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]`,
    'gu',
  ),
];
