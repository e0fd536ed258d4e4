import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
/** The packages whose exports have docstrings, and whose functions have examples. */
const packages = [
  'agent-core',
  'claims',
  'documents',
  'embedded-mongo',
  'language',
  'release',
  'review',
  'scorer',
  'sdk',
];

interface PublicExport {
  name: string;
  isFunction: boolean;
  /** Empty if the declaration has none. */
  docstring: string;
}

const declarations = /^export (?:async )?(function\*?|class|const|interface|type) (\w+)/gm;
const reexports = /^export (type )?(?:\*|\{([^}]*)\}) from '(\.[^']+)'/gm;

/** The exports of a file with these names, those of the files that it re-exports included; all of them without names. */
function exportsOf(file: string, names?: ReadonlySet<string>): PublicExport[] {
  const text = fs.readFileSync(file, 'utf8');
  const own = [...text.matchAll(declarations)].map(({ 1: kind = '', 2: name = '', index }): PublicExport => {
    const before = text.slice(0, index).trimEnd();
    const docstring = before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : '';
    return { name, isFunction: kind.startsWith('function'), docstring };
  });
  const others = [...text.matchAll(reexports)].flatMap(([, typesOnly, listed, from = '']) => {
    const found = exportsOf(path.join(path.dirname(file), from), listed === undefined ? names : namesIn(listed));
    // Types are all that `export type` exports of a file.
    return typesOnly === undefined ? found : found.filter(({ isFunction }) => !isFunction);
  });
  return [...own, ...others].filter(({ name }) => names === undefined || names.has(name));
}

function namesIn(listed: string): Set<string> {
  return new Set(listed.split(',').map((entry) => /^\s*(?:type )?(\w+)/.exec(entry)?.[1] ?? ''));
}

function publicExports(name: string): PublicExport[] {
  const folder = path.join(root, 'packages', name);
  const { exports } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  const entries = Object.entries(exports).filter(([entry]) => !entry.startsWith('./testing'));
  return entries.flatMap(([, file]) => exportsOf(path.join(folder, file)));
}

it.each(packages)('every export of %s has a docstring, and every function an example', (name) => {
  const found = publicExports(name);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ docstring }) => docstring === '').map((each) => each.name)).toEqual([]);
  const withoutExample = found.filter((each) => each.isFunction && !each.docstring.includes('@example'));
  expect(withoutExample.map((each) => each.name)).toEqual([]);
});
