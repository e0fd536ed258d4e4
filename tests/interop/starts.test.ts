import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import packageInfo from '../../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');
const scripts: Record<string, string> = packageInfo.scripts;

it('interop starts without a run of the tests around it, and tells the story through its shortest client', async () => {
  const { NODE_OPTIONS: _, NODE_ENV: __, VITEST: ___, SHARED_PRODUCT_ADDRESS: ____, ...env } = process.env;
  const script = path.join(import.meta.dirname, 'interop.ts');
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, 'TypeScript client of this workspace'],
    { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).toContain('3 approved, INV-100 extracted');
});

it.each(Object.entries(scripts))('npm run %s names a file or a program that exists: %s', (_name, command) => {
  for (const part of command.split(' && ')) {
    const [program = '', argument = ''] = part.split(' ');
    const needed = program === 'node' ? argument : `node_modules/.bin/${program}`;
    expect(fs.existsSync(path.join(root, needed)), needed).toBe(true);
  }
});

it('every job of the workflow runs what the repository has', () => {
  const workflow = fs.readFileSync(path.join(root, '.github/workflows/ci.yml'), 'utf8');
  const commands = [...workflow.matchAll(/^\s*- run: (?<command>.+)$/gmu)].map(({ groups }) => groups!['command']!);
  expect(commands.length).toBeGreaterThan(1);
  const known = (command: string) => {
    const name = /^npm (?:run )?(?<name>[\w:]+)$/u.exec(command)?.groups?.['name'];
    return name === undefined ? fs.existsSync(path.join(root, command)) : name in scripts;
  };
  expect(commands.filter((command) => !known(command))).toEqual([]);
});
