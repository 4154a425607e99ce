/** Letters of other scripts that look like Latin ones. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...pairs('авекмнорстухіѕјһԁԛԝӏ', 'abekmhopctyxisjhdqwl'),
  ...pairs('АВЕКМНОРСТУХІЅЈ', 'ABEKMHOPCTYXISJ'),
  ...pairs('αενικορτυχ', 'aevikoptux'),
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'),
};
const LOOK_ALIKE = new RegExp(`[${Object.keys(LOOK_ALIKES).join('')}]`, 'g');

function pairs(from: string, to: string): Record<string, string> {
  return Object.fromEntries(Array.from(from, (letter, at) => [letter, to[at] ?? letter]));
}

/**
 * A text as a model would take it: letters that look like others are those, nothing stands between letters unseen, and a
 * sentence goes on over the end of a line, but for empty lines and lists.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replaceAll(LOOK_ALIKE, (letter) => LOOK_ALIKES[letter] ?? letter)
    .replaceAll('’', "'")
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/(?<![\n ]) ?\n ?(?![\n*#\-\u2022\d|])/g, ' ');
}
