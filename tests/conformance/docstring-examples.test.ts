import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
/** Below `tests`, so that an example finds the packages that it imports. */
const folder = path.join(root, 'tests/node_modules/.docstring-examples');
const packages = ['agent-core', 'documents', 'embedded-mongo', 'language', 'release', 'review', 'scorer', 'sdk'];

interface Example {
  source: string;
  code: string;
}

/** The examples of a file's docstrings, with absolute paths in place of relative imports. */
function examplesIn(source: string): Example[] {
  const text = fs.readFileSync(path.join(root, source), 'utf8');
  return [...text.matchAll(/\/\*\*(?:(?!\*\/)[\s\S])*?\*\//g)].flatMap(([comment]) => {
    const lines = comment.slice(3, -2).split('\n');
    const plain = lines.map((line) => line.replace(/^\s*\* ?/, '')).join('\n');
    const example = plain.split('@example')[1];
    if (example === undefined) return [];
    const code = (/```ts\n([\s\S]*?)```/.exec(example)?.[1] ?? example).replaceAll(
      /from '(\.[^']*)'/g,
      (_, file: string) => `from '${path.join(root, path.dirname(source), file)}'`,
    );
    return [{ source, code }];
  });
}

const files = packages.flatMap((name) =>
  fs
    .readdirSync(path.join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `packages/${name}/src/${file.replaceAll('\\', '/')}`),
);
const examples = files.flatMap(examplesIn);

it('examples in docstrings of the packages have the types that they show', async () => {
  expect(new Set(examples.map(({ source }) => source.split('/')[1]))).toEqual(new Set(packages));
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const names = new Map<string, string>();
  for (const [at, { source, code }] of examples.entries()) {
    names.set(`example-${at}.ts`, source);
    fs.writeFileSync(path.join(folder, `example-${at}.ts`), `${code}\nexport {};\n`);
  }
  const config = {
    extends: '../../../tsconfig.base.json',
    // An example can declare values that it does not use.
    compilerOptions: { noUnusedLocals: false, typeRoots: ['../../../node_modules/@types'] },
    include: ['*.ts', '../../../packages/*/src/**/*.d.ts'],
    exclude: [],
  };
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(tsc, ['--noEmit', '-p', folder], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  const wrong = stdout.replaceAll(/^example-\d+\.ts/gm, (name) => names.get(name) ?? name);
  expect(wrong).toBe('');
}, 120_000);
