import { describe, expect, it } from 'vitest';
import { ENTRY, fixture, HostFolder, refusal } from './host-folder.ts';

const HOLDFAST = JSON.stringify('holdfast');

describe('real settings files', () => {
  it.each([
    '01-bom-crlf.claude_desktop_config.json',
    '06-empty.cursor-mcp.json',
    '07-no-section-single-line.claude_desktop_config.json',
    '08-section-null.lmstudio-mcp.json',
    '12-windows-paths-escapes.claude_desktop_config.json',
    '13-unicode-names.cursor-mcp.json',
    '24-import-mixed.claude_desktop_config.json',
  ])('%s: our entry goes in, every line of the file stays, and the very bytes come back', (name) => {
    const before = fixture(name);
    const host = new HostFolder(before);
    expect(host.connect()).toMatchObject({ changed: true, entry: 'holdfast' });
    expect(JSON.parse(host.text()).mcpServers.holdfast).toEqual(ENTRY);
    expect(host.connect().changed).toBe(false);
    expect(host.disconnect().changed).toBe(true);
    expect(host.bytes().equals(before)).toBe(true);
  });

  it.each([
    ['03-comment-in-strict-host.claude_desktop_config.json', 'SYNTAX', 3, 5, 'comments are not allowed'],
    ['05-duplicate-entry.cursor-mcp.json', 'DUP_ENTRY', 5, 5, 'line 3 and 5'],
    ['10-broken.gemini-settings.json', 'SYNTAX', 5, 5, 'a comma is missing before this'],
    ['25-utf16.claude_desktop_config.json', 'ENCODING', undefined, undefined, 'UTF-16'],
  ])('%s: is refused and nothing at all is written', (name, problem, line, column, words) => {
    const host = new HostFolder(fixture(name));
    const before = host.everything();
    const found = refusal(() => host.connect());
    expect(found).toMatchObject({ code: 'HOST_CONFIG_UNREADABLE', file: host.file, problem });
    expect([found['line'], found['column']]).toEqual([line, column]);
    expect(found['hint']).toContain(words);
    expect(host.everything()).toEqual(before);
  });

  it('01: CRLF in every new line, the neighbour untouched, the BOM dropped but kept in the backup', () => {
    const before = fixture('01-bom-crlf.claude_desktop_config.json');
    const host = new HostFolder(before);
    expect(host.connect().droppedBom).toBe(true);
    expect(host.text().replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const kept = before.toString('utf8').slice(1).split('    }\r\n  },');
    expect(host.text().startsWith(`${kept[0]}    },\r\n    ${HOLDFAST}: {\r\n      "command"`)).toBe(true);
    expect(host.text().endsWith(`    }\r\n  },${kept[1]}`)).toBe(true);
  });

  it('06: pretty-printed with a final line break', () => {
    const host = new HostFolder(fixture('06-empty.cursor-mcp.json'));
    host.connect();
    expect(host.text()).toBe(`${JSON.stringify({ mcpServers: { holdfast: ENTRY } }, null, 2)}\n`);
  });

  it('07: still one line without a final line break, our section last', () => {
    const before = fixture('07-no-section-single-line.claude_desktop_config.json').toString('utf8');
    const host = new HostFolder(before);
    host.connect();
    expect(host.text()).toBe(`${before.slice(0, -1)},"mcpServers":{"holdfast":${JSON.stringify(ENTRY)}}}`);
  });

  it('08: only the four bytes of null give way', () => {
    const before = fixture('08-section-null.lmstudio-mcp.json').toString('utf8');
    const [head = '', tail = ''] = before.split('null');
    const host = new HostFolder(before);
    host.connect();
    expect(host.text()).toMatch(/\n {8}"holdfast": \{\n {12}"command"/);
    expect(host.text().startsWith(`${head}{`) && host.text().endsWith(`}${tail}`)).toBe(true);
  });

  it.each(['12-windows-paths-escapes.claude_desktop_config.json', '13-unicode-names.cursor-mcp.json'])(
    '%s: escapes, number spelling and odd names stay as they are written',
    (name) => {
      const before = fixture(name).toString('utf8');
      const host = new HostFolder(before);
      host.connect();
      const missing = before.split(/,?\r?\n/).filter((line) => !host.text().includes(line));
      expect(missing).toEqual([]);
      const { holdfast, ...others } = JSON.parse(host.text()).mcpServers;
      expect(Object.entries(others)).toEqual(Object.entries(JSON.parse(before).mcpServers));
      expect(holdfast).toEqual(ENTRY);
    },
  );

  it('15: only the stale command changes, what was added by hand stays, a second run writes nothing', () => {
    const before = fixture('15-ours-stale-path.cursor-mcp.json').toString('utf8');
    const host = new HostFolder(before);
    const entry = { ...ENTRY, args: ['--consumer', 'cursor', '--owner', 'gw-1f0c'] };
    expect(host.connect({ entry })).toMatchObject({ changed: true, entry: 'holdfast' });
    expect(host.text()).toBe(before.replace('/old/place/holdfast-bridge', ENTRY.command));
    const after = host.everything();
    expect(host.connect({ entry }).changed).toBe(false);
    expect(host.everything()).toEqual(after);
  });
});
