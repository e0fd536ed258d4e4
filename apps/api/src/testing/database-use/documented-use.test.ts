import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startTestApp } from '../test-app.ts';
import { documentedNames, recordedUse, page } from './documented-use.ts';

const sources = resolve(import.meta.dirname, '../..');
/** Names of JSON Schema, of mongoose's modules, and of the start's probes. */
const noOperators = new Set(['$ref', '$schema', '$defs', '$id']);
/** Options of `$text`. */
const ofText = ['$search', '$language'];

const documented = documentedNames(readFileSync(page, 'utf8'));
const operators = new Set(
  [...documented.values()].flatMap((names) => [...names]).filter((name) => /^\$[a-z]/iu.test(name)),
);

test("every operator in the sources is on the operators' page", () => {
  const written = new Set<string>();
  for (const file of globSync('{features,platform,process,turn-writes}/**/*.ts', { cwd: sources })) {
    if (file.endsWith('.test.ts') || file.includes('/testing/') || file.endsWith('database-features.ts')) continue;
    for (const [, name = ''] of readFileSync(resolve(sources, file), 'utf8').matchAll(
      /(?:^|[^$\w{`])(\$[a-z]\w*)'?\]?:/gimu,
    )) {
      if (!noOperators.has(name) && !ofText.includes(name)) written.add(name);
    }
  }
  expect(written.size).toBeGreaterThan(30);
  expect([...written].filter((name) => !operators.has(name))).toEqual([]);
});

test('every kind of index and every command of a start is on the page', async () => {
  const app = await startTestApp();
  await app.admin.post('./tags', { name: 'x' });
  await app.admin.get('./documents');
  await app.stop();
  const missing = [...recordedUse].filter((line) => {
    const [kind = '', name = ''] = line.split('\t');
    return documented.get(kind)?.has(name) !== true;
  });
  expect(recordedUse.size).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
