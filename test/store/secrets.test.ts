import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerId } from '../../electron/core/model.ts';
import { realFiles } from '../../electron/store/files.ts';
import { Secrets, type SecretBox } from '../../electron/store/secrets.ts';
import { gatewayToken } from '../../electron/store/token.ts';
import { faultyFiles } from './faulty-files.ts';
import { AT, EXA } from './sample.ts';
import { codeOf, errorOf, temporaryFolder } from './support.ts';

const OTHER = 'srv-other' as ServerId; // as the core makes them
const secretsPath = (dir: string): string => path.join(dir, 'secrets.json');
const contentOf = (dir: string): string => fs.readFileSync(secretsPath(dir), 'utf8');
const openSecrets = async (dir: string, files = realFiles, box: SecretBox | null = null): Promise<Secrets> =>
  (await Secrets.open(files, dir, AT, box)).secrets;

/** A key store with one key: what another key sealed does not open. */
function keyStore(key: number): SecretBox {
  const turn = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ key));
  return {
    kind: 'system',
    seal: (text) => turn(Buffer.from(`sealed:${text}`)),
    open: (bytes) => {
      const text = turn(bytes).toString('utf8');
      if (!text.startsWith('sealed:')) throw new Error('wrong key');
      return text.slice('sealed:'.length);
    },
  };
}
const MINE = keyStore(0x55);

describe('secrets', () => {
  it('are there after a restart, per server', async () => {
    const dir = temporaryFolder();
    const secrets = await openSecrets(dir);
    await Promise.all([secrets.set(EXA, { EXA_API_KEY: 'k' }), secrets.set(OTHER, { A: '1', B: '' })]);
    await secrets.remove(OTHER);
    const again = await openSecrets(dir);
    expect([again.get(EXA), again.get(OTHER)]).toEqual([{ EXA_API_KEY: 'k' }, {}]);
  });

  it('are in a file for this user alone', async () => {
    const dir = temporaryFolder();
    await (await openSecrets(dir)).set(EXA, { A: '1' });
    expect(fs.statSync(secretsPath(dir)).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(dir)).toEqual(['secrets.json']);
  });

  it('stay as they were when they cannot be written, wherever it fails', async () => {
    for (let at = 1; at <= 6; at += 1) {
      const dir = temporaryFolder();
      const files = faultyFiles(realFiles);
      const secrets = await openSecrets(dir, files);
      await secrets.set(EXA, { A: 'old' });
      files.arm({ at, how: 'fail' });
      const error = await errorOf(() => secrets.set(EXA, { A: 'new-secret' })).catch(() => undefined);
      files.disarm();
      if (error === undefined) continue;
      expect(error.code).toBe('STORE_WRITE_FAILED');
      expect(JSON.stringify([error.details, String(error.cause)])).not.toContain('new-secret');
      expect(secrets.get(EXA)).toEqual({ A: 'old' });
    }
  });

  it.each([{ '': 'x' }, { 'A=B': 'x' }, { A: 'x\0' }, JSON.parse('{"__proto__":"x"}')])(
    'that no process could be given are refused: %j',
    async (values: Record<string, string>) => {
      const secrets = await openSecrets(temporaryFolder());
      expect(await codeOf(() => secrets.set(EXA, values))).toBe('STORE_WRITE_FAILED');
      expect(secrets.get(EXA)).toEqual({});
    },
  );

  it.each([
    '',
    '{"srv":{"A":1}}',
    '[]',
    '{"__proto__":{"A":"1"}}',
    '{"format":2}',
    '{"format":2,"sealed":true,"box":""}',
    '{"format":2,"sealed":false,"values":{"srv":{"A":1}}}',
    '{"format":2,"sealed":false,"values":{},"box":"AA=="}',
  ])('in a damaged file are set aside: %j', async (text) => {
    const dir = temporaryFolder();
    fs.writeFileSync(secretsPath(dir), text);
    const { secrets, setAside } = await Secrets.open(realFiles, dir, AT, null);
    expect(setAside.map((file) => fs.readFileSync(file, 'utf8'))).toEqual([text]);
    await secrets.set(EXA, { A: '1' });
    expect((await openSecrets(dir)).get(EXA)).toEqual({ A: '1' });
  });
});

describe('secrets without a key store', () => {
  it('of the first format are read, and written in the present one', async () => {
    const dir = temporaryFolder();
    fs.writeFileSync(secretsPath(dir), JSON.stringify({ [EXA]: { A: 'old' } }));
    const secrets = await openSecrets(dir);
    expect([secrets.keeping, secrets.get(EXA)]).toEqual(['file', { A: 'old' }]);
    expect(JSON.parse(contentOf(dir))).toEqual({ format: 2, sealed: false, values: { [EXA]: { A: 'old' } } });
    expect(fs.statSync(secretsPath(dir)).mode & 0o777).toBe(0o600);
  });

  it('of a newer format are refused and left as they are', async () => {
    const dir = temporaryFolder();
    const text = '{"format":3,"keys":[]}';
    fs.writeFileSync(secretsPath(dir), text);
    expect(await codeOf(() => openSecrets(dir))).toBe('STORE_NEWER');
    expect(contentOf(dir)).toBe(text);
  });
});

describe('secrets with a key store', () => {
  it('are sealed: no value and no name of one is in the file', async () => {
    const dir = temporaryFolder();
    const secrets = await openSecrets(dir, realFiles, MINE);
    await secrets.set(EXA, { EXA_API_KEY: 'canary' });
    expect(secrets.keeping).toBe('sealed');
    expect(contentOf(dir)).not.toMatch(/canary|EXA_API_KEY|srv-/);
    expect(Buffer.from(JSON.parse(contentOf(dir)).box, 'base64').toString('latin1')).not.toContain('canary');
    expect((await openSecrets(dir, realFiles, MINE)).get(EXA)).toEqual({ EXA_API_KEY: 'canary' });
    expect(fs.statSync(secretsPath(dir)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['first', { [EXA]: { A: 'canary' } }],
    ['present', { format: 2, sealed: false, values: { [EXA]: { A: 'canary' } } }],
  ])('are sealed at the first start where the plain file has the %s format', async (_, plain) => {
    const dir = temporaryFolder();
    fs.writeFileSync(secretsPath(dir), JSON.stringify(plain));
    const secrets = await openSecrets(dir, realFiles, MINE);
    expect([secrets.keeping, secrets.get(EXA)]).toEqual(['sealed', { A: 'canary' }]);
    expect(fs.readdirSync(dir)).toEqual(['secrets.json']);
    expect(contentOf(dir)).not.toContain('canary');
    expect((await openSecrets(dir, realFiles, MINE)).get(EXA)).toEqual({ A: 'canary' });
  });

  it('are never lost on the way from the plain file, wherever the disk fails', async () => {
    for (let at = 1; at <= 6; at += 1) {
      const dir = temporaryFolder();
      fs.writeFileSync(secretsPath(dir), JSON.stringify({ [EXA]: { A: 'canary' } }));
      const files = faultyFiles(realFiles);
      files.arm({ at, how: 'fail' });
      const secrets = await openSecrets(dir, files, MINE);
      files.disarm();
      expect(secrets.get(EXA)).toEqual({ A: 'canary' });
      expect((await openSecrets(dir, realFiles, MINE)).get(EXA)).toEqual({ A: 'canary' });
    }
  });

  it('stay in the plain file, which is said, while the key store takes nothing', async () => {
    const refuse = (): never => {
      throw new Error('canary');
    };
    for (const box of [
      { ...MINE, seal: refuse },
      { ...MINE, open: refuse },
      { ...MINE, open: () => 'something else' },
    ]) {
      const dir = temporaryFolder();
      fs.writeFileSync(secretsPath(dir), JSON.stringify({ [EXA]: { A: 'canary' } }));
      const secrets = await openSecrets(dir, realFiles, box);
      expect([secrets.keeping, secrets.get(EXA)]).toEqual(['file', { A: 'canary' }]);
      await secrets.set(OTHER, { B: '1' });
      expect((await openSecrets(dir, realFiles, MINE)).get(EXA)).toEqual({ A: 'canary' });
    }
  });

  it('stay as they were where the key store stops taking them', async () => {
    const dir = temporaryFolder();
    let isOpen = true;
    const box: SecretBox = {
      ...MINE,
      seal: (text) => {
        if (!isOpen) throw new Error(text);
        return MINE.seal(text);
      },
    };
    const secrets = await openSecrets(dir, realFiles, box);
    await secrets.set(EXA, { A: 'old' });
    const before = contentOf(dir);
    isOpen = false;
    const error = await errorOf(() => secrets.set(EXA, { A: 'canary' }));
    expect(error.code).toBe('STORE_WRITE_FAILED');
    expect(JSON.stringify([error.details, String(error.cause)])).not.toContain('canary');
    expect([secrets.get(EXA), contentOf(dir)]).toEqual([{ A: 'old' }, before]);
  });

  it.each([
    ['this program uses none', null, 'locked', 'SECRETS_LOCKED'],
    ['it cannot be had this time', 'unavailable', 'no-key-store', 'SECRETS_NO_KEY_STORE'],
    ['it has another key', keyStore(0x11), 'unopenable', 'SECRETS_UNOPENABLE'],
    ['it opens to what is not valid', { ...MINE, open: () => '{"srv":1}' }, 'unopenable', 'SECRETS_UNOPENABLE'],
  ] as const)('are kept, not lost, where %s', async (_, box, keeping, code) => {
    const dir = temporaryFolder();
    await (await openSecrets(dir, realFiles, MINE)).set(EXA, { A: 'canary' });
    const before = contentOf(dir);
    const { secrets, setAside } = await Secrets.open(realFiles, dir, AT, box);
    expect([secrets.keeping, secrets.get(EXA), setAside]).toEqual([keeping, {}, []]);
    expect(await codeOf(() => secrets.set(OTHER, { B: '1' }))).toBe(code);
    expect(await codeOf(() => secrets.remove(EXA))).toBe(code);
    expect([contentOf(dir), fs.readdirSync(dir)]).toEqual([before, ['secrets.json']]);
    expect((await openSecrets(dir, realFiles, MINE)).get(EXA)).toEqual({ A: 'canary' });
  });

  it('are put aside when they are given up, and can be given again; nothing of them is deleted', async () => {
    const dir = temporaryFolder();
    const former = await openSecrets(dir, realFiles, keyStore(0x11));
    await former.set(EXA, { A: 'canary' });
    const before = contentOf(dir);
    const secrets = await openSecrets(dir, realFiles, MINE);
    const aside = (await secrets.forget(AT)) ?? '';
    expect([fs.readFileSync(aside, 'utf8'), secrets.keeping, fs.existsSync(secretsPath(dir))]).toEqual([
      ...[before, 'sealed', false],
    ]);
    await secrets.set(EXA, { A: 'again' });
    expect((await openSecrets(dir, realFiles, MINE)).get(EXA)).toEqual({ A: 'again' });
    fs.renameSync(aside, secretsPath(dir));
    expect((await openSecrets(dir, realFiles, keyStore(0x11))).get(EXA)).toEqual({ A: 'canary' });
  });

  it('are not given up while they can be read, or where the disk fails', async () => {
    const dir = temporaryFolder();
    const secrets = await openSecrets(dir, realFiles, MINE);
    await secrets.set(EXA, { A: 'canary' });
    expect([await secrets.forget(AT), secrets.get(EXA)]).toEqual([null, { A: 'canary' }]);
    const rename = (): never => {
      throw new Error('no');
    };
    const shut = await openSecrets(dir, { ...realFiles, rename }, keyStore(0x11));
    expect([await codeOf(() => shut.forget(AT)), shut.keeping]).toEqual(['STORE_WRITE_FAILED', 'unopenable']);
    expect(fs.readdirSync(dir)).toEqual(['secrets.json']);
  });

  it('lock nothing when there are none', async () => {
    const dir = temporaryFolder();
    const sealed = await openSecrets(dir, realFiles, MINE);
    await sealed.set(EXA, { A: '1' });
    await sealed.remove(EXA);
    expect((await openSecrets(dir)).keeping).toBe('file');
  });

  it('are known for the whole run, also those that were replaced', async () => {
    const dir = temporaryFolder();
    await (await openSecrets(dir)).set(EXA, { A: 'first' });
    const secrets = await openSecrets(dir);
    await secrets.set(EXA, { A: 'second' });
    expect([...secrets.known]).toEqual(['first', 'second']);
  });
});

describe('the token of the gateway', () => {
  it('is 32 random bytes, made once and then reused', async () => {
    const dir = temporaryFolder();
    const token = await gatewayToken(realFiles, dir);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await gatewayToken(realFiles, dir)).toBe(token);
    expect(await gatewayToken(realFiles, temporaryFolder())).not.toBe(token);
    expect(fs.statSync(path.join(dir, 'token')).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(dir)).toEqual(['token']);
  });

  it('is the same for all that ask at the same time', async () => {
    const dir = temporaryFolder();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => gatewayToken(realFiles, dir)));
    expect(new Set(tokens).size).toBe(1);
  });

  it('is made anew when the file is damaged', async () => {
    const dir = temporaryFolder();
    fs.writeFileSync(path.join(dir, 'token'), 'short\n');
    const token = await gatewayToken(realFiles, dir);
    expect(fs.readFileSync(path.join(dir, 'token'), 'utf8')).toBe(token);
  });
});
