import { expect, it } from 'vitest';
import { placeOf, sourceFiles, type SourceFile } from './source-files.ts';

/** A module with fewer lines and a single importer belongs into that importer, unless there is a reason. */
const fragmentLines = 60;

/** Registries: each entry has its own file, even a short one. */
const registries = [
  'apps/api/src/app.ts',
  'apps/api/src/process/features.ts',
  'apps/api/src/process/migrations/migrations.ts',
  'apps/api/src/features/plugins/registry.ts',
  'apps/web/src/router.tsx',
  'packages/agent-core/src/collection-tools/index.ts',
  'packages/agent-core/src/document-agent/tools/index.ts',
  'packages/agent-core/src/schema-chat/toolset.ts',
  'packages/contract/src/operations.ts',
  'packages/demo-model/src/document-agent/plan-document.ts',
  'packages/documents/src/parsing/reader-of.ts',
  'packages/embedded-mongo/src/commands/registry.ts',
  'packages/embedded-mongo/src/expression/expression.ts',
  'packages/sdk/src/areas/chat/chat.ts',
  'packages/sdk/src/command/program.ts',
  'packages/sdk/src/create-docwright.ts',
];

/** Roles with a file of their own in every feature; import rules refer to them. */
const roles = /^apps\/api\/src\/.*(?:\/feature|-(?:routes|model|repository|job))\.ts$/u;

/** Exceptions, each with its reason. */
const reasons: Record<string, string> = {
  'apps/api/src/features/audit/audit-services.ts':
    'the composition, whose type others need; feature.ts only puts together',
  'apps/api/src/features/audit/turn-audit.ts': 'the last step of the path of an approval',
  'apps/api/src/features/documents/reading/measured-recognition.ts': 'wraps a port; feature.ts only puts together',
  'apps/api/src/features/identity/rights/token-scopes.ts': 'the scopes of tokens, in the folder of rights',
  'apps/api/src/features/permission-rules/permission-rule-services.ts':
    'the composition, whose type others need; feature.ts only puts together',
  'apps/api/src/features/pipelines/check-pipeline.ts': 'the rules of a pipeline, which other features check too',
  'apps/api/src/features/pipelines/chunk-languages.ts': 'the languages of chunks, which searching decides by too',
  'apps/api/src/process/start-jobs.ts': 'tests start the jobs by it, without a server',
  'apps/web/src/features/extraction/replace-extraction.ts':
    'others use it without the panel, which is loaded with the document page',
  'apps/web/src/features/runs/chosen-documents.tsx':
    'others use it without the page, which is loaded when it is opened',
  'apps/web/src/features/runs/match-count.tsx': 'others use it without the page, which is loaded when it is opened',
  'apps/web/src/router.tsx': 'the list of routes',
  'apps/web/src/routes/app-shell.tsx': 'the frame of every page, beside the route that names it',
  'apps/web/src/shared/addresses/proposal-search.ts': 'one of the kinds of addresses, all of which stand in one folder',
  'apps/web/src/shared/addresses/review-search.ts': 'one of the kinds of addresses, all of which stand in one folder',
  'apps/web/src/shared/addresses/setup-search.ts': 'one of the kinds of addresses, all of which stand in one folder',
  'apps/web/src/shared/page/connection-notice.tsx': 'a part of the page frame that follows the connection by itself',
  'packages/agent-core/src/schema-chat/toolset.ts': 'the list of tools',
  'packages/agent-core/src/turns/turn-store.ts': 'a port',
  'packages/embedded-mongo/src/commands/registry.ts': 'the list of commands',
  'packages/release/src/cluster-bound.ts': 'a bound of its own, with its source',
};

const files = sourceFiles();
const known = new Map(files.map((file) => [file.path, file]));
const isProduction = ({ path }: SourceFile) =>
  /^(apps|packages)\//.test(path) && !/\.test\.tsx?$|\/testing\/|-test-bench\.ts$|\.d\.ts$/.test(path);
const isIndex = (path: string) => /\/index\.tsx?$/.test(path);

/** The lazy imports of a file: pages, parsers, workers. */
function loadedLater(file: SourceFile): string[] {
  const forms = /(?:\bimport\(|new URL\()\s*['"](?<place>[^'"]+)['"]/gu;
  return [...file.text.matchAll(forms)].map(({ groups }) => {
    const place = groups?.['place'] ?? '';
    return placeOf(file, /^\.|^[@a-z]+\//u.test(place) ? place : `./${place}`);
  });
}

const importers = new Map<string, string[]>();
for (const file of files.filter(isProduction)) {
  for (const place of new Set(file.imports.map((specifier) => placeOf(file, specifier)))) {
    if (known.has(place)) importers.set(place, [...(importers.get(place) ?? []), file.path]);
  }
}
const lazy = new Set(files.filter(isProduction).flatMap(loadedLater));

/** The one module that imports a file; the index of its package or feature counts where nothing else does. */
function onlyImporter({ path }: SourceFile): string | undefined {
  const all = importers.get(path) ?? [];
  const inside = all.filter((importer) => !isIndex(importer));
  const counted = inside.length > 0 ? inside : all;
  return counted.length === 1 ? counted[0] : undefined;
}

function hasOwnTest({ path }: SourceFile): boolean {
  const stem = path.replace(/\.\w+$/u, '');
  return ['test', 'isolated.test'].some((kind) => known.has(`${stem}.${kind}.ts`) || known.has(`${stem}.${kind}.tsx`));
}

/** Lines of the merged file, without the imports of the smaller one. */
function linesTogether(file: SourceFile, importer: string): number {
  const imports = /^(?:import|\} from)[^;]*;\n+/gmu;
  const left = file.text.replaceAll(imports, '').split('\n').length;
  return (known.get(importer)?.lines ?? 0) + left;
}

function isCovered(file: SourceFile, importer: string): boolean {
  const { path } = file;
  const all = importers.get(path) ?? [];
  return (
    hasOwnTest(file) ||
    lazy.has(path) ||
    all.some((each) => registries.includes(each)) ||
    roles.test(path) ||
    // Others use it through the index of its package or feature, which holds no code; nothing beside it does.
    all.every(isIndex) ||
    linesTogether(file, importer) > 300
  );
}

const fragments = files
  .filter((file) => isProduction(file) && !isIndex(file.path) && file.lines < fragmentLines)
  .flatMap((file) => {
    const importer = onlyImporter(file);
    return importer === undefined ? [] : [{ file, importer }];
  });

it('a short module that one other module imports stands in that one, unless there is a reason', () => {
  expect(fragments.length).toBeGreaterThan(100);
  const left = fragments.filter(({ file, importer }) => !isCovered(file, importer)).map(({ file }) => file.path);
  expect(left.filter((path) => reasons[path] === undefined)).toEqual([]);
});

it('no reason is left over, and there are at most 40', () => {
  const paths = fragments.filter(({ file, importer }) => !isCovered(file, importer)).map(({ file }) => file.path);
  expect(Object.keys(reasons).filter((path) => !paths.includes(path))).toEqual([]);
  expect(Object.keys(reasons).length).toBeLessThanOrEqual(40);
  expect(registries.filter((path) => !known.has(path))).toEqual([]);
});
