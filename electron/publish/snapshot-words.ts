import { cleanName } from '../core/display.ts';
import { KINDS } from '../core/model.ts';
import { isRead, type Contract } from './contract.ts';
import { kindWord, kindWords, MAX_SHOWN, shownName } from './diff-words.ts';

/** Where it went and what is in it, in one line. */
export function snapshotText(file: string, { server, capabilities, fingerprint }: Contract): string {
  const build = [server.name, server.version].flatMap((text) => (text === null ? [] : [cleanName(text)])).join(' ');
  const counts = KINDS.flatMap((kind) => {
    const count = capabilities.filter((each) => each.kind === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? kindWord(kind) : kindWords(kind)}`];
  });
  const what = counts.length === 0 ? 'nothing offered' : counts.join(', ');
  return `${cleanName(file, MAX_SHOWN)}: ${build === '' ? 'the server' : build}, ${what}, ${fingerprint}\n`;
}

/** That a file was left alone, because there was no whole snapshot to write. */
export function notWritten(file: string, isThere: boolean): string {
  const left = isThere ? 'was left as it was' : 'was not written';
  return `${cleanName(file, MAX_SHOWN)} ${left}, because the snapshot is not whole. Without -o it is printed as far as it goes.`;
}

/** What is not in a snapshot that should be, a sentence each. */
export function snapshotProblems({ kinds, invalid }: Contract): string[] {
  const unread = KINDS.filter((kind) => !isRead(kinds[kind])).map(
    (kind) =>
      `The ${kindWords(kind)} are not in the snapshot, because their list could not be read whole: ${cleanName(kinds[kind].reason ?? '–', MAX_SHOWN)}.`,
  );
  const unusable = invalid.map(
    ({ kind, originKey, reason }) =>
      `The ${kindWord(kind)} ${shownName(kind, originKey)} is not in the snapshot, because no app could use it: ${cleanName(reason, MAX_SHOWN)}.`,
  );
  return [...unread, ...unusable].map((sentence) => sentence.replace(/\.\.$/, '.'));
}
