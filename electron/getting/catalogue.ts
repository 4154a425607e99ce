import { z } from 'zod';
import catalogueFile from '../../resources/catalogue.json';
import { packageShape, remoteShape } from './server-json.ts';

const words = z.strictObject({ en: z.string().max(200), 'zh-CN': z.string().max(200) });
const entryShape = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  title: z.string().max(60),
  about: words,
  page: z.url(),
  /** What was looked at, and when; not its whole code. */
  reviewed: z.strictObject({ from: z.string().max(300), on: z.iso.date() }),
  version: z.string().max(60),
  package: packageShape.optional(),
  remote: remoteShape.optional(),
});
const catalogueShape = z.array(entryShape).max(100);
export type CatalogueEntry = z.output<typeof entryShape>;

/** The servers that come with Holdfast: looked at by us, pinned, and there without a connection. */
export const CATALOGUE: readonly CatalogueEntry[] = catalogueShape.parse(catalogueFile);

/** Entries that have every word of what was asked for, in either language; all of them for no word. */
export function searchCatalogue(word: string): readonly CatalogueEntry[] {
  const parts = word
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '');
  return CATALOGUE.filter(({ id, title, about }) => {
    const text = [id, title, about.en, about['zh-CN']].join('\n').toLowerCase();
    return parts.every((part) => text.includes(part));
  });
}
