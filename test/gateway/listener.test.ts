import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endpointFor, isPrivateEndpoint } from '../../electron/bridge/endpoint.ts';
import { HoldfastError } from '../../electron/core/errors.ts';
import { APP, HostApp, TOKEN, World, eventually } from './harness.ts';
import type { Message } from './harness.ts';

let world: World;
beforeEach(async () => {
  world = await new World({ handshakeMs: 300 }).listen();
  world.publish(APP, []);
});
afterEach(() => world.close());

const open = (): HostApp => new HostApp(connect(endpointFor(world.dir)));
async function greet(hello: object | string): Promise<{ answer: Message | undefined; isClosed: boolean }> {
  const app = open();
  app.write(typeof hello === 'string' ? hello : JSON.stringify(hello));
  await eventually(() => app.isClosed || app.messages[0]);
  await eventually(() => app.isClosed || app.messages[0]?.['ok'] === true);
  return { answer: app.messages[0], isClosed: app.isClosed };
}

describe('the greeting at the socket', () => {
  it('lets in an app that is known and has the token', async () => {
    const { answer } = await greet({ holdfast: 1, role: 'bridge', consumer: APP, token: TOKEN, pid: 1 });
    expect(answer).toEqual({ ok: true });
  });

  it.each([
    ['a wrong token', { holdfast: 1, role: 'bridge', consumer: APP, token: 'wrong' }],
    ['a wrong token for commands', { holdfast: 1, role: 'control', token: '' }],
    ['no role', { holdfast: 1, token: TOKEN }],
    ['another protocol', { holdfast: 2, role: 'control', token: TOKEN }],
    ['no JSON', 'GET / HTTP/1.1'],
  ])('refuses %s and ends the connection', async (_, hello) => {
    const { answer, isClosed } = await greet(hello);
    expect(answer).toEqual({
      error: { code: 'FORBIDDEN', message: 'message of FORBIDDEN', next: 'next step' },
    });
    expect(isClosed).toBe(true);
  });

  it('refuses an app that is not known', async () => {
    const { answer } = await greet({ holdfast: 1, role: 'bridge', consumer: 'nobody', token: TOKEN });
    expect(answer?.['error']).toMatchObject({ code: 'CONSUMER_NOT_FOUND' });
  });

  it('ends a connection that says too much before it is known', async () => {
    expect((await greet('x'.repeat(5000))).isClosed).toBe(true);
  });

  it('ends a connection that says nothing', async () => {
    const app = open();
    await eventually(() => app.isClosed);
  });

  it('takes messages that come in one piece with it', async () => {
    const app = open();
    const hello = JSON.stringify({ holdfast: 1, role: 'bridge', consumer: APP, token: TOKEN });
    app.write(`${hello}\n{"jsonrpc":"2.0","id":5,"method":"ping"}`);
    expect((await app.answer(5))['result']).toEqual({});
  });

  it('lets messages after it be longer than itself', async () => {
    const app = await world.app();
    expect((await app.ask('ping', { padding: 'x'.repeat(100_000) }))['result']).toEqual({});
  });
});

describe('commands', () => {
  const control = async (): Promise<HostApp> => {
    const app = open();
    app.write(JSON.stringify({ holdfast: 1, role: 'control', token: TOKEN }));
    await eventually(() => app.messages[0]?.['ok'] === true);
    return app;
  };

  it('are handed on and answered by id', async () => {
    const app = await control();
    app.write('{"id":"a","command":"servers.list","input":{"x":1}}\n{"id":2,"command":"apps.list"}');
    expect(await eventually(() => app.messages.find((each) => each.id === 'a'))).toEqual({
      id: 'a',
      result: { command: 'servers.list', input: { x: 1 } },
    });
    expect(await eventually(() => app.messages.find((each) => each.id === 2))).toMatchObject({ id: 2 });
  });

  it('are answered with a code and the next step when they fail', async () => {
    world.onCommand = () => Promise.reject(new HoldfastError('REVIEW_STALE'));
    const app = await control();
    app.write('{"id":1,"command":"review.approve"}');
    const error = { code: 'REVIEW_STALE', message: 'message of REVIEW_STALE', next: 'next step' };
    expect(await eventually(() => app.messages[1])).toEqual({ id: 1, error });
  });

  it('that are none are answered as bad input', async () => {
    const app = await control();
    app.write('{"id":1}');
    expect((await eventually(() => app.messages[1]))['error']).toMatchObject({ code: 'COMMAND_BAD_INPUT' });
  });

  it('are answered though the other side has ended its half', async () => {
    let finish = (): void => undefined;
    world.onCommand = () => new Promise((resolve) => (finish = () => resolve('late')));
    const app = await control();
    app.socket.allowHalfOpen = true;
    app.socket.end('{"id":1,"command":"slow"}\n');
    await eventually(() => world.commands.length === 1);
    finish();
    expect(await eventually(() => app.messages[1])).toEqual({ id: 1, result: 'late' });
    await eventually(() => app.isClosed);
  });
});

describe('the endpoint', () => {
  it.runIf(process.platform !== 'win32')('is private to the user', () => {
    expect(statSync(endpointFor(world.dir)).mode & 0o777).toBe(0o600);
  });

  it('takes the place of a socket that was left behind', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'hf-stale-'));
    writeFileSync(endpointFor(dir), '');
    const second = new World();
    await second.gateway.listen(dir, TOKEN, () => Promise.resolve(null));
    await second.gateway.close();
    rmSync(dir, { recursive: true });
    await second.close();
  });

  it('depends on the data folder alone', () => {
    expect(endpointFor('/home/a/.config/holdfast', 'linux')).toBe('/home/a/.config/holdfast/gateway.sock');
    expect(endpointFor('/home/a/.config/holdfast/', 'linux')).toBe('/home/a/.config/holdfast/gateway.sock');
    expect(endpointFor(`/home/${'long'.repeat(30)}`, 'linux')).toMatch(/^\/tmp\/holdfast-[0-9a-f]{16}\/s$/);
    expect(endpointFor('/data', 'win32')).toMatch(/^\\\\\.\\pipe\\holdfast-[0-9a-f]{16}$/);
  });

  it.runIf(process.platform !== 'win32')('is not trusted in a folder that others can write to', async () => {
    const home = path.join(world.dir, 'deep'.repeat(30));
    const folder = path.dirname(endpointFor(home));
    rmSync(folder, { recursive: true, force: true });
    expect(isPrivateEndpoint(endpointFor(home))).toBe(false);
    mkdirSync(folder, { mode: 0o700 });
    expect(isPrivateEndpoint(endpointFor(home))).toBe(true);
    const { chmodSync } = await import('node:fs');
    chmodSync(folder, 0o777);
    await expect(new World().gateway.listen(home, TOKEN, () => Promise.resolve(null))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    rmSync(folder, { recursive: true });
  });
});
