import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = fs.readFileSync(path.join(root, 'docs/security.md'), 'utf8');
const promises = page.slice(page.indexOf('| promise |'), page.indexOf('## What is not promised'));
const tests = [...promises.matchAll(/\| `([^`]+)` \|$/gmu)].map(([, place = '']) => place);

it('each promise of the security page names a test that is there', () => {
  expect(tests.length).toBe(promises.trim().split('\n').length - 2);
  expect(tests.filter((place) => !fs.existsSync(path.join(root, place)))).toEqual([]);
});

it('each test of attacks holds a promise of the security page', () => {
  const files = fs.readdirSync(path.join(root, 'tests/attacks')).map((name) => `tests/attacks/${name}`);
  expect(files.filter((file) => !page.includes(file))).toEqual([]);
});
