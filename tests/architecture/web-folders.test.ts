import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { placeOf, sourceFiles } from './source-files.ts';

const files = sourceFiles().filter((file) => file.path.startsWith('apps/web/src/'));
const folderOf = (file: string) => path.posix.dirname(file);

/** Each folder with the folders that it imports. */
const arrows = new Map<string, Set<string>>();
for (const file of files) {
  const from = folderOf(file.path);
  const targets = arrows.get(from) ?? new Set();
  arrows.set(from, targets);
  for (const specifier of file.imports) {
    const place = placeOf(file, specifier);
    if (place.startsWith('apps/web/src/') && folderOf(place) !== from) targets.add(folderOf(place));
  }
}

/** The folders reachable from `start`; includes `start` only in a cycle. */
function reachable(start: string): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of arrows.get(folder) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}

describe('the folders of the web app', () => {
  it('form no cycle, neither at run time nor in types', () => {
    expect(arrows.size).toBeGreaterThan(20);
    expect([...arrows.keys()].filter((folder) => reachable(folder).has(folder))).toEqual([]);
  });

  it('hold at most 25 files', () => {
    const sizes = Map.groupBy(files, (file) => folderOf(file.path));
    expect([...sizes].filter(([, held]) => held.length > 25).map(([folder]) => folder)).toEqual([]);
  });

  it.each([
    ['shared', /^apps\/web\/src\/(?!shared\/)/u],
    ['agent-ui', /^apps\/web\/src\/(?!shared\/|agent-ui\/)/u],
    ['features', /^apps\/web\/src\/(?!shared\/|agent-ui\/|features\/)/u],
  ])('%s imports nothing from above it', (layer, above) => {
    const found = files
      .filter((file) => file.path.startsWith(`apps/web/src/${layer}/`))
      .flatMap((file) => file.imports.map((specifier) => `${file.path} imports ${placeOf(file, specifier)}`))
      .filter((line) => above.test(line.split(' imports ')[1] ?? ''));
    expect(found).toEqual([]);
  });

  it('of features lead one way: what two features share stands below both', () => {
    const featureOf = (file: string) => /^apps\/web\/src\/features\/([^/]+)\//u.exec(file)?.[1];
    const between = new Map<string, Set<string>>();
    for (const file of files) {
      const from = featureOf(file.path);
      if (from === undefined) continue;
      const targets = between.get(from) ?? new Set();
      between.set(from, targets);
      for (const specifier of file.imports) {
        const to = featureOf(placeOf(file, specifier));
        if (to !== undefined && to !== from) targets.add(to);
      }
    }
    const both = [...between].flatMap(([from, targets]) =>
      [...targets].filter((to) => between.get(to)?.has(from) === true).map((to) => `${from} and ${to}`),
    );
    expect(both).toEqual([]);
  });
});
