import { expect, test } from '@playwright/test';
import { Gallery } from '../support/gallery.ts';

let gallery: Gallery;

test.beforeAll(async () => {
  test.setTimeout(5 * 60_000);
  gallery = await Gallery.open();
});
test.afterAll(() => gallery.close());

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await gallery.page.keyboard.press(key);
};
const focus = (): Promise<string> =>
  gallery.page.evaluate(() => {
    const one = document.activeElement;
    const ids = one?.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
    return (one?.getAttribute('aria-label') ?? (labels === '' ? (one?.textContent ?? '') : labels)).trim();
  });
/** Tab until a control of that name has the focus. */
async function tabTo(name: string | RegExp): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) {
    await press('Tab');
    const at = await focus();
    if (typeof name === 'string' ? at === name : name.test(at)) return;
  }
  throw new Error(`no control “${String(name)}” in the order of the tab key`);
}
const heading = () => gallery.page.getByRole('heading', { level: 1 });

test('approve, keep off and undo without a mouse; the focus goes on to the next row', async () => {
  await gallery.show('inbox');
  await press('ArrowDown', 'ArrowDown');
  expect(await focus()).toBe('List issues');
  await press('a');
  await expect(gallery.page.getByText('List issues is on again in Claude').first()).toBeVisible();
  expect(await focus()).toBe('Clock');
  await press('k');
  await expect(gallery.page.getByText('Clock stays off').first()).toBeVisible();
  await press('z');
  await expect(gallery.page.getByRole('button', { name: 'Approve: Clock' })).toBeVisible();
  expect((await gallery.asked()).map(([command]) => command)).toEqual([
    'review.approve',
    'review.keep-off',
    'review.undo',
  ]);
});

test('a risky change is opened with Enter and approved only by the button that says the risk', async () => {
  await gallery.show('inbox');
  await press('ArrowDown', 'a', 'k');
  expect(await gallery.asked()).toEqual([]);
  await press('Enter');
  await expect(heading()).toHaveText('Fetch page can do more now');
  await expect(heading()).toBeFocused();
  await press('Enter', 'Space');
  expect(await gallery.asked()).toEqual([]);
  await tabTo('Approve: it can delete things');
  await press('Enter');
  await expect(heading()).toHaveText('Waiting for your OK');
  expect((await gallery.asked()).map(([command]) => command)).toEqual(['review.approve', 'review.approve']);
});

test('Enter pressed blindly changes nothing in any review, and Escape leaves it undecided', async () => {
  const names = gallery.names.filter(
    (name) => /^(?:review|renamed|merged|split)/.test(name) && name !== 'review-refused',
  );
  for (const name of names) {
    await gallery.show(name);
    const before = await gallery.asked(); // a state may come about by something that was asked
    await press('Enter', 'Enter');
    expect([name, await gallery.asked()]).toEqual([name, before]);
    await press('Escape');
    await expect(heading()).toHaveText('Waiting for your OK');
  }
});

test('the controls of a decision come in reading order, and nothing traps the focus', async () => {
  await gallery.show('review-careful');
  const order: string[] = [];
  for (let turn = 0; turn < 7; turn += 1) {
    await press('Tab');
    order.push(await focus());
  }
  expect(order).toEqual([
    'In the server’s own words (not checked by us)',
    'Decide per app',
    'Technical details',
    'Keep off',
    'Approve: it can delete things',
    'Decide later',
    expect.any(String),
  ]);
  await press('Shift+Tab', 'Shift+Tab');
  expect(await focus()).toBe('Approve: it can delete things');
});

test('a renamed tool is rebound without a mouse', async () => {
  await gallery.show('renamed-several');
  await tabTo('Fetch page');
  await press('Space');
  await tabTo('Yes, use Fetch page');
  await press('Enter');
  expect(await gallery.asked()).toEqual([['continuity.rebind', { id: 'con-2', ref: 'srv-1/tool/fetch_page' }]]);
  await expect(heading()).toHaveText('Waiting for your OK');
  await expect(gallery.page.getByText('Fetch page takes the place of Crawl page').first()).toBeVisible();
});

test('a server is added without a mouse: pasted, checked, its key filled in, unseen', async () => {
  await gallery.show('servers');
  await tabTo('Add server');
  await press('Enter');
  await expect(heading()).toHaveText('Add a server');
  await expect(heading()).toBeFocused();
  await press('Tab');
  await gallery.page.keyboard.insertText('EXA_API_KEY=YOUR_KEY npx -y exa-mcp-server');
  await tabTo('Go on');
  await press('Enter');
  await expect(heading()).toHaveText('Check what will run');
  await expect(gallery.page.getByRole('region', { name: 'This will run on your computer' })).toHaveText(
    'npx -y exa-mcp-server',
  );
  const key = gallery.page.getByLabel('EXA_API_KEY', { exact: true });
  await expect(key).toHaveAttribute('type', 'password');
  // Without its key nothing starts.
  await tabTo('Add and start');
  await press('Enter');
  await expect(gallery.page.getByText('Fill in EXA_API_KEY')).toBeVisible();
  expect((await gallery.asked()).map(([command]) => command)).toEqual(['servers.read']);
  await key.focus();
  await gallery.page.keyboard.insertText('not-a-real-key');
  await press('Enter');
  await expect(heading()).toHaveText('Exa');
  expect((await gallery.asked()).at(-1)).toEqual([
    'servers.add',
    {
      name: 'Exa',
      command: 'npx',
      args: ['-y', 'exa-mcp-server'],
      env: { EXA_API_KEY: 'not-a-real-key' },
      known: 'ask',
    },
  ]);
});

test('cancel starts nothing', async () => {
  await gallery.show('add-server-check');
  await gallery.page.getByRole('button', { name: 'Cancel' }).click();
  await expect(heading()).toHaveText('Add a server');
  expect((await gallery.asked()).map(([command]) => command)).toEqual(['servers.read']);
});

test('a tool is switched off and on again without a mouse, at the definition that is shown', async () => {
  await gallery.show('server');
  await tabTo('Search web');
  await press('Space');
  await expect(gallery.page.getByRole('switch', { name: 'Search web' })).not.toBeChecked();
  await press('Space');
  await expect(gallery.page.getByRole('switch', { name: 'Search web' })).toBeChecked();
  const target = { app: 'claude', server: 'srv-1', kind: 'tool', originKey: 'search_web' };
  expect(await gallery.asked()).toEqual([
    ['hide', target],
    ['expose', { ...target, target: 'sha256:1' }],
  ]);
});

test('Ctrl and a digit goes to each screen, ? shows the keys, and letters can be switched off', async () => {
  await gallery.show('inbox');
  const titles = ['Waiting for your OK', 'Servers', 'Apps', 'Tool sets', 'Activity', 'Settings'];
  for (const [at, title] of titles.entries()) {
    await press(`Control+${at + 1}`);
    await expect(heading()).toHaveText(title);
  }
  await tabTo('Decide with letter keys in the list');
  await press('Space', 'Control+1', 'ArrowDown', 'ArrowDown', 'a');
  expect(await gallery.asked()).toEqual([]);
  await press('?');
  await expect(gallery.page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await press('Escape');
  await expect(gallery.page.getByRole('dialog')).toHaveCount(0);
});

test('a decision can be taken back in Activity, for ever', async () => {
  await gallery.show('activity');
  await tabTo(/^Undo: You approved/);
  await press('Enter');
  expect(await gallery.asked()).toEqual([['review.undo', { id: 'rev-40', decision: 8 }]]);
});

test('small changes are approved together, and risky ones never with them', async () => {
  await gallery.show('inbox');
  await gallery.page.getByRole('button', { name: 'Approve 2 small changes' }).click();
  await expect(gallery.page.getByText('2 small changes are on again').first()).toBeVisible();
  expect((await gallery.asked()).map(([, input]) => (input as { id: string }).id)).toEqual(['rev-30', 'rev-40']);
  await expect(gallery.page.getByRole('button', { name: 'Review: Fetch page' })).toBeVisible();
});

test('a change is tried in one app first', async () => {
  await gallery.show('review-check');
  await gallery.page.getByRole('button', { name: 'Try it in Claude first' }).click();
  expect(await gallery.asked()).toEqual([['review.approve', { id: 'rev-20', target: 'sha256:20' }]]);
});
