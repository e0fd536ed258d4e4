import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const exported =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

/** In an app or package, a name has one meaning, so that a search finds one definition. */
it('no name is exported by two modules of a package', () => {
  const modules = sourceFiles().filter(
    ({ path }) => /^(apps|packages)\//.test(path) && !/\.test\.tsx?$|\/testing\/|\.d\.ts$|\.mjs$/.test(path),
  );
  const places = new Map<string, string[]>();
  for (const { path, text } of modules) {
    const workspace = path.split('/').slice(0, 2).join('/');
    const names = new Set([...text.matchAll(exported)].map(([, name]) => name!));
    for (const name of names) {
      const key = `${name} of ${workspace}`;
      places.set(key, [...(places.get(key) ?? []), path]);
    }
  }
  expect(places.size).toBeGreaterThan(3000);
  const twice = [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([key, paths]) => `${key}: ${paths.join(', ')}`);
  expect(twice).toEqual([]);
});
