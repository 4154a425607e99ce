import { expect, test } from 'vitest';
import { wishIn } from '../../electron/desktop/open-wish.ts';

test('a start with a bundle or a link asks to have it laid out, wherever it stands among the arguments', () => {
  const cases: [readonly string[], ReturnType<typeof wishIn>][] = [
    [['holdfast', 'holdfast://add?catalogue=x'], { type: 'link', text: 'holdfast://add?catalogue=x' }],
    [['electron', '.', '--hidden', 'Notes.MCPB'], { type: 'file', text: '/work/Notes.MCPB' }],
    [['holdfast', '/a b/old.dxt', 'holdfast:x'], { type: 'file', text: '/a b/old.dxt' }],
    [['holdfast', '--link=holdfast://add'], undefined],
    [['x.mcpb', '--hidden', 'notes.zip', 'https://x.example'], undefined],
    [['holdfast', `holdfast://add?${'x'.repeat(10_000)}`], undefined],
  ];
  for (const [argv, wish] of cases) expect(wishIn(argv, '/work')).toEqual(wish);
});
