import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

/** Exceptions, each with its reason. */
const reasons: Record<string, string> = {
  'apps/api/src/features/audit/declared-writes.ts listDeclaredTools': 'the test of all writing routes compares with it',
  'apps/api/src/platform/long-values/long-answers.ts longOperations':
    'the test of the OpenAPI document compares with it',
  'apps/web/src/features/viewer/unused-link-service.ts EventBus': 'the build puts it in place of a module of pdf.js',
  'apps/web/src/features/viewer/unused-link-service.ts SimpleLinkService':
    'the build puts it in place of a module of pdf.js',
};

const isTest = (path: string): boolean => /\.(?:test|bench)\.tsx?$|^tests\/|\/testing\//u.test(path);

/** The code without comments, and of an index without the names that it passes on. */
function codeOf({ path, text }: { path: string; text: string }): string {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, ' ');
  return path.endsWith('index.ts') ? code.replaceAll(/^export (?:type )?\{[^}]*\} from .*$/gmu, ' ') : code;
}

it('nothing is exported for tests alone', () => {
  const files = sourceFiles()
    .filter(({ path }) => /^(?:apps|packages|infra)\//u.test(path) && !isTest(path))
    .map((file) => ({ path: file.path, code: codeOf(file) }));
  const uses = new Map<string, number>();
  for (const { code } of files) {
    for (const [name] of code.matchAll(/[\w$]+/gu)) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const declarations = /^export (?:async )?(?:function\*?|const|class) ([\w$]+)/gmu;
  const exported = files.flatMap(({ path, code }) =>
    [...code.matchAll(declarations)].map(([, name = '']) => ({ place: `${path} ${name}`, name })),
  );
  expect(exported.length).toBeGreaterThan(1000);
  const unused = exported.filter(({ name }) => uses.get(name) === 1).map(({ place }) => place);
  expect(unused.toSorted()).toEqual(Object.keys(reasons));
});
