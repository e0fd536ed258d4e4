import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const licences = path.resolve(import.meta.dirname, '../../../apps/web/dist/licenses.md');

test('the built app contains the licences of its packages, all of them permissive', () => {
  const text = fs.readFileSync(licences, 'utf8');
  const parts = [...text.matchAll(/^## (?<name>\S+) - \S+ \((?<licence>[^)]+)\)$/gmu)].map(({ groups }) => groups!);
  expect(parts.map(({ name }) => name)).toContain('react');
  expect(text).toContain('Permission is hereby granted, free of charge');
  const permissive = /^(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|MPL-2\.0)$/u;
  expect(parts.filter(({ licence }) => !permissive.test(licence!))).toEqual([]);
});
