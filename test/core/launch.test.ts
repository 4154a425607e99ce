import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { launchRoute } from '../../electron/core/launch.ts';
import { vectorFiles } from '../vectors/vectors.ts';

const route = (command: string, ...args: string[]): string => launchRoute({ command, args });

describe('the launch identity of', () => {
  it.each(vectorFiles.get('launch.json')?.launch ?? [])('$name', ({ command, args, route: expected }) => {
    expect(route(command, ...args)).toBe(expected);
  });
});

describe('a launch identity', () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  const word = fc.oneof(
    text,
    fc.constantFrom(
      'npx',
      'uvx',
      'docker',
      'run',
      'exec',
      'node',
      'sh',
      '-y',
      '--',
      '-m',
      'pkg',
      'pkg@1',
      '@a/b',
      './a',
    ),
  );
  const args = fc.array(word, { maxLength: 5 });
  const version = fc.stringMatching(/^[0-9a-z.^~+-]{1,12}$/);

  it('is never empty and always says what kind it is', () => {
    fc.assert(
      fc.property(word, args, (command, rest) => {
        expect(route(command, ...rest)).toMatch(/^(npm|pypi|oci|exec|cmdline):/);
      }),
      { numRuns: 1000 },
    );
  });

  it('that is the whole command line gives it back', () => {
    fc.assert(
      fc.property(word, args, (command, rest) => {
        const [kind, ...parts] = route(command, ...rest).split(':');
        fc.pre(kind === 'cmdline');
        expect(JSON.parse(parts.join(':'))).toEqual([command, ...rest]);
      }),
      { numRuns: 1000 },
    );
  });

  it('of a program names the command exactly as written', () => {
    fc.assert(
      fc.property(word, args, (command, rest) => {
        const [kind, ...parts] = route(command, ...rest).split(':');
        fc.pre(kind === 'exec');
        expect((JSON.parse(parts.join(':')) as string[])[0]).toBe(command);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not depend on the version of a package or on the arguments behind it', () => {
    fc.assert(
      fc.property(version, args, (number, rest) => {
        expect(route('npx', '-y', `@scope/pkg@${number}`, ...rest)).toBe('npm:@scope/pkg');
        expect(route('uvx', `pkg==${number}`, ...rest)).toBe('pypi:pkg');
        expect(route('docker', 'run', '-i', `host:5000/a/b:${number}`, ...rest)).toBe('oci:host:5000/a/b');
        expect(route('node', 'index.js', ...rest)).toBe('exec:["node","index.js"]');
      }),
    );
  });

  it('changes with every argument where the form is not recognised', () => {
    fc.assert(
      fc.property(fc.constantFrom('sh', 'env', 'cmd.exe', 'sudo', 'deno'), args, args, (command, some, others) => {
        expect(route(command, ...some) === route(command, ...others)).toBe(
          JSON.stringify(some) === JSON.stringify(others),
        );
      }),
    );
  });

  it('cannot be made to look like a package by the name of a program or a script', () => {
    for (const name of ['npm:pkg', 'oci:pkg', 'pypi:pkg']) {
      expect(route(name)).toBe(`exec:["${name}"]`);
      expect(route('node', name)).toBe(`exec:["node","${name}"]`);
    }
  });
});
