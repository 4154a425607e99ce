import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerId } from '../../electron/core/model.ts';
import { realFiles } from '../../electron/store/files.ts';
import { Secrets } from '../../electron/store/secrets.ts';
import { gatewayToken } from '../../electron/store/token.ts';
import { faultyFiles } from './faulty-files.ts';
import { AT, EXA } from './sample.ts';
import { codeOf, errorOf, temporaryFolder } from './support.ts';

const OTHER = 'srv-other' as ServerId; // as the core makes them
const secretsPath = (dir: string): string => path.join(dir, 'secrets.json');
const openSecrets = async (dir: string, files = realFiles): Promise<Secrets> =>
  (await Secrets.open(files, dir, AT)).secrets;

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

  it.each(['', '{"srv":{"A":1}}', '[]', '{"__proto__":{"A":"1"}}'])(
    'in a damaged file are set aside: %j',
    async (text) => {
      const dir = temporaryFolder();
      fs.writeFileSync(secretsPath(dir), text);
      const { secrets, setAside } = await Secrets.open(realFiles, dir, AT);
      expect(setAside.map((file) => fs.readFileSync(file, 'utf8'))).toEqual([text]);
      await secrets.set(EXA, { A: '1' });
      expect((await openSecrets(dir)).get(EXA)).toEqual({ A: '1' });
    },
  );
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
