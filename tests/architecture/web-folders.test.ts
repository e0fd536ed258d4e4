import { describe, expect, it } from 'vitest';
import { placeOf, sourceFiles } from './source-files.ts';

const files = sourceFiles().filter((file) => file.path.startsWith('apps/web/src/'));

describe('the folders of the web app', () => {
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
