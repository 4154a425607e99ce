import { HostConfigProblem } from './problem.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

export interface DecodedText {
  readonly text: string;
  readonly hasBom: boolean;
}

/** UTF-8 bytes as text, without one leading byte order mark. Refuses everything else; no byte is ever replaced. */
export function decode(bytes: Buffer): DecodedText {
  if (isUtf16(bytes)) {
    throw new HostConfigProblem('ENCODING', 'This file is saved in an encoding (UTF-16) that cannot be read here.');
  }
  const hasBom = bytes.subarray(0, BOM.length).equals(BOM);
  const body = hasBom ? bytes.subarray(BOM.length) : bytes;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body), hasBom };
  } catch (cause) {
    throw new HostConfigProblem('ENCODING', 'This file is not saved as UTF-8 text.', undefined, { cause });
  }
}

/** The bytes of a text, with a byte order mark where it should begin with one. */
export function encode(text: string, hasBom: boolean): Buffer {
  const body = Buffer.from(text, 'utf8');
  return hasBom ? Buffer.concat([BOM, body]) : body;
}

function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
