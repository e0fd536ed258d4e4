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

/** In the API, a feature with its subfolders counts as one folder, and so does each other folder below `src`. */
const api = 'apps/api/src/';
function folderInApi(name: string): string {
  const [first = '', second = '', ...rest] = name.slice(api.length).split('/');
  if (second === '') return '.';
  return first === 'features' && rest.length > 0 ? `${first}/${second}` : first;
}

function packageOf(name: string): string {
  return name.split('/').slice(0, 2).join('/');
}

/** The folder right below `src`; empty for a file of `src` itself. */
function folderInPackage(name: string): string {
  return name.split('/').slice(3, -1)[0] ?? '';
}

/** Folders in a cycle, each with its imports of other folders in the cycle. */
function cycles(arrows: { from: string; to: string; why: string }[]): string[] {
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

it('no folders of the API depend on each other both ways, at run time or in types', () => {
  const arrows = imports
    .filter(({ from, to }) => from.startsWith(api) && to.startsWith(api))
    .map(({ from, to }) => ({ from: folderInApi(from), to: folderInApi(to), why: `${from} imports ${to}` }))
    .filter(({ from, to }) => from !== to);
  expect(arrows.length).toBeGreaterThan(100);
  expect(cycles(arrows)).toEqual([]);
});

it('no files of the API import each other in a loop', () => {
  const arrows = imports
    .filter(({ from, to }) => from.startsWith(api) && to.startsWith(api))
    .map(({ from, to }) => ({ from, to, why: `${from} imports ${to}` }));
  expect(cycles(arrows)).toEqual([]);
});

/** Packages, each with the imports between its files. */
const packages = Map.groupBy(
  imports.filter(({ from, to }) => packageOf(from) === packageOf(to)),
  ({ from }) => packageOf(from),
);

it.each([...packages.keys()].filter((name) => name !== 'apps/api'))(
  'no folders of %s depend on each other both ways, at run time or in types',
  (name) => {
    const arrows = (packages.get(name) ?? [])
      .map(({ from, to }) => ({ from: folderInPackage(from), to: folderInPackage(to), why: `${from} imports ${to}` }))
      // Files beside the folders are the package's index or shared by all folders; cycles through them are cycles of files.
      .filter(({ from, to }) => from !== to && from !== '' && to !== '');
    expect(cycles(arrows)).toEqual([]);
  },
);

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
