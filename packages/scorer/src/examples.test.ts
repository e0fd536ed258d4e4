import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../..');
let folder: string;

/** Converts an example to a program: `expression; // value` becomes an assertion. Text after `value: ` is a remark. */
function programOf(example: string): string {
  const lines = example.split('\n').map((line) => {
    const [, expression, value] = /^(?!const|import|}| )(.+); \/\/ (.+?)(?:: .*)?$/.exec(line) ?? [];
    return expression ? `assert.deepEqual(${expression}, ${value});` : line;
  });
  return ["import assert from 'node:assert/strict';", ...lines]
    .join('\n')
    .replaceAll('@docwright/scorer', join(here, 'index.ts'));
}

const examples: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docwright-examples-'));
  for (const name of (await readdir(here)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))) {
    const source = await readFile(join(here, name), 'utf8');
    for (const [at, found] of [...source.matchAll(/```ts\n([\s\S]*?)```/g)].entries()) {
      const file = join(folder, `${name.replace('.ts', '')}-${at}.mts`);
      await writeFile(file, programOf(found[1]!.replaceAll(/^ \* ?/gm, '')));
      examples.push(file);
    }
  }
});

afterAll(() => rm(folder, { recursive: true }));

it('every example in a docstring compiles and gives the values in its comments', async () => {
  expect(examples.length).toBeGreaterThan(4);
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { noEmit: true, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
      files: examples,
    }),
  );
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    ({ stdout }: { stdout: string }) => expect.fail(stdout),
  );
  for (const file of examples) await import(pathToFileURL(file).href);
});
