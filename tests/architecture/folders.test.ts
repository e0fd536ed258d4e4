import path from 'node:path';
import { expect, it } from 'vitest';
import { placeOf, sourceFiles } from './source-files.ts';

const files = sourceFiles();
const production = files.filter(
  ({ path: name }) => /^(apps|packages)\//.test(name) && !/\.test\.tsx?$|\/testing\/|-test-bench\.ts$/.test(name),
);
const known = new Set(production.map(({ path: name }) => name));

/** Imports between files of the repository, type imports included. */
const imports = production.flatMap((file) =>
  file.imports
    .map((specifier) => placeOf(file, specifier))
    .filter((place) => known.has(place))
    .map((place) => ({ from: file.path, to: place })),
);

const api = 'apps/api/src/';

interface Arrow {
  from: string;
  to: string;
  why: string;
}

/** The reasons of all arrows that are part of a cycle. */
function cycles(arrows: Arrow[]): string[] {
  const reached = new Map<string, Set<string>>();
  const next = Map.groupBy(arrows, ({ from }) => from);
  const reach = (start: string): Set<string> => {
    const found = new Set<string>();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const { to } of next.get(at) ?? []) {
        if (found.has(to)) continue;
        found.add(to);
        open.push(to);
      }
    }
    return found;
  };
  for (const { from } of arrows) if (!reached.has(from)) reached.set(from, reach(from));
  return arrows.filter(({ from, to }) => reached.get(to)?.has(from) === true).map(({ why }) => why);
}

/** The imports as arrows between places, such as the files themselves or their folders. */
const arrowsBetween = (place: (file: string) => string): Arrow[] =>
  imports
    .map(({ from, to }) => ({ from: place(from), to: place(to), why: `${from} imports ${to}` }))
    .filter(({ from, to }) => from !== to);

it('no files import each other in a loop, at run time or in types', () => {
  const arrows = arrowsBetween((file) => file);
  expect(arrows.length).toBeGreaterThan(2_000);
  expect(cycles(arrows)).toEqual([]);
});

it('no folders import each other in a loop, and neither do a folder and its subfolders', () => {
  const arrows = arrowsBetween((file) => path.posix.dirname(file));
  expect(arrows.length).toBeGreaterThan(1_000);
  expect(cycles(arrows)).toEqual([]);
});

it('a feature of the API is registered by one line, which its feature.ts makes possible', () => {
  const registry = production.find(({ path: name }) => name === `${api}process/features.ts`);
  const definitions = production.filter(
    ({ path: name }) => name.endsWith('/feature.ts') && name.includes('/features/'),
  );
  expect(definitions.length).toBeGreaterThan(15);
  const registered = (registry?.imports ?? []).map((specifier) => placeOf(registry!, specifier));
  expect(definitions.map(({ path: name }) => name).filter((name) => !registered.includes(name))).toEqual([]);
});

/** The feature that a file belongs to. */
const featureOf = (name: string) => /^apps\/(?:api|web)\/src\/features\/[^/]+/.exec(name)?.[0];

/** A lazy import of an index would load more than the wanted part. */
function isLoadedLater(from: string, to: string): boolean {
  const file = production.find(({ path: name }) => name === from)!;
  const later = [...file.text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, specifier]) => placeOf(file, specifier!));
  return later.includes(to);
}

/** An index that exports the PDF reader would load it on every page that imports the index. */
const heavy = ['apps/web/src/features/viewer/pdf-sheets.tsx'];

it('features import each other through their index alone', () => {
  const between = imports.filter(
    ({ from, to }) => featureOf(from) !== undefined && featureOf(to) !== undefined && featureOf(from) !== featureOf(to),
  );
  expect(between.length).toBeGreaterThan(200);
  const inside = between.filter(
    ({ from, to }) => to !== `${featureOf(to)}/index.ts` && !heavy.includes(to) && !isLoadedLater(from, to),
  );
  expect(inside.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

it('the platform knows no feature, and turn-writes knows the platform alone', () => {
  const upward = imports.filter(
    ({ from, to }) =>
      (from.startsWith(`${api}platform/`) && !to.startsWith(`${api}platform/`) && to.startsWith(api)) ||
      (from.startsWith(`${api}turn-writes/`) && new RegExp(`^${api}(features|process)/`).test(to)),
  );
  expect(upward).toEqual([]);
});

it('a folder holds at most 25 files', () => {
  const folders = Map.groupBy(
    files.filter(({ path: name }) => /^(apps|packages)\//.test(name)),
    ({ path: name }) => path.posix.dirname(name),
  );
  const large = [...folders].filter(([, inside]) => inside.length > 25).map(([name, inside]) => [name, inside.length]);
  expect(large).toEqual([]);
});

it('sees a loop where there is one', () => {
  const loop = [
    { from: 'a', to: 'b', why: 'a imports b' },
    { from: 'b', to: 'a', why: 'b imports a' },
    { from: 'b', to: 'c', why: 'b imports c' },
  ];
  expect(cycles(loop)).toEqual(['a imports b', 'b imports a']);
});
