import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const exported =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

/** The packages that export each name, with the modules. */
function exportsByName(): Map<string, Map<string, string[]>> {
  const modules = sourceFiles().filter(
    ({ path }) => /^(apps|packages)\//.test(path) && !/\.test\.tsx?$|\/testing\/|\.d\.ts$|\.mjs$/.test(path),
  );
  const names = new Map<string, Map<string, string[]>>();
  for (const { path, text } of modules) {
    const workspace = path.split('/').slice(0, 2).join('/');
    for (const name of new Set([...text.matchAll(exported)].map(([, found]) => found!))) {
      const places = names.get(name) ?? new Map<string, string[]>();
      names.set(name, places.set(workspace, [...(places.get(workspace) ?? []), path]));
    }
  }
  return names;
}

const names = exportsByName();

/** In an app or package, a name has one meaning, so that a search finds one definition. */
it('no name is exported by two modules of a package', () => {
  expect(names.size).toBeGreaterThan(3000);
  const twice = [...names].flatMap(([name, places]) =>
    [...places]
      .filter(([, paths]) => paths.length > 1)
      .map(([workspace, paths]) => `${name} of ${workspace}: ${paths.join(', ')}`),
  );
  expect(twice).toEqual([]);
});

/** Types that show a type, a body or a query of the contract in the form that one package uses. */
const mirrors = new Set([
  'ChatRequest',
  'DifferenceKind',
  'DocumentQuery',
  'DocumentText',
  'DocumentWords',
  'ExportFormat',
  'FailedCheck',
  'Grounding',
  'NewSchedule',
  'OrganizationChange',
  'RunQuery',
  'TagQuery',
  'TaskQuery',
  'ThreadQuery',
  'TurnState',
]);
/** `Page` is a component, a page of a document and a page of a list; n8n wants its node named as the product is. */
const exceptions = new Set(['Page', 'Docwright']);

/** A type stands alone in a signature, where no import says which of two is meant. A function is read with its import. */
it('no type, class or component has a second meaning in another package', () => {
  const shared = [...names].filter(([name, places]) => /^[A-Z]/u.test(name) && places.size > 1).map(([name]) => name);
  expect(shared.toSorted()).toEqual([...mirrors, ...exceptions].toSorted());
});
