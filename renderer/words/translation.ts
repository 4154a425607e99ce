import type { EN } from './en.ts';

export type WordKey = keyof typeof EN;

/** What follows each opening brace, up to the next one. */
type Pieces<S extends string> = S extends `${string}{${infer Rest}`
  ? (Rest extends `${infer Piece}{${string}` ? Piece : Rest) | Pieces<Rest>
  : never;
type Head<P extends string> = P extends `${infer H}}${string}` ? H : P;
type BeforeComma<H extends string> = H extends `${infer Name},${string}` ? Name : H;
/** A branch of a plural form is a text: it has a number sign or a space, which no name has. */
type Name<N extends string> = N extends '' | `${string} ${string}` | `${string}#${string}` ? never : N;

/** Names of the placeholders in an ICU message. */
export type Slots<S extends string> = Pieces<S> extends infer P extends string ? Name<BeforeComma<Head<P>>> : never;
/** Those of them that have to be numbers. */
export type NumberSlots<S extends string> =
  Pieces<S> extends infer P
    ? P extends `${infer N}, plural,${string}` | `${infer N}, number}${string}`
      ? Name<N>
      : never
    : never;

type Same<A extends string, B extends string> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Checked<T extends Readonly<Record<WordKey, string>>> = {
  readonly [K in keyof T]: K extends WordKey
    ? Same<Slots<(typeof EN)[K]>, Slots<T[K]>> extends true
      ? T[K]
      : { readonly 'placeholders differ': Slots<(typeof EN)[K]> }
    : never;
};

/** A whole table in another language: each key, and each placeholder of it, or it does not compile. */
export function translation<const T extends Readonly<Record<WordKey, string>>>(
  table: T & Checked<T>,
): Readonly<Record<WordKey, string>> {
  return table;
}
