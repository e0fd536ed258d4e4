import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { originsOf, sourceFiles } from './source-files.ts';

const root = path.resolve(import.meta.dirname, '../..');
const maxFiles = 14;
const places: Record<string, string> = { 'api/': 'apps/api/src/features/', 'core/': 'packages/agent-core/src/' };

/** The numbered lists of a section, each under its bold title. */
function listedPaths(): { title: string; files: string[] }[] {
  const page = fs.readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
  const section = /## Three paths[^\n]*\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
  return section
    .split(/^\*\*/m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('**')),
      files: [...part.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, listed]) => whole(listed!)),
    }));
}

function whole(listed: string): string {
  const short = Object.keys(places).find((prefix) => listed.startsWith(prefix));
  return short === undefined ? listed : places[short] + listed.slice(short.length);
}

const files = new Map(sourceFiles().map((file) => [file.path, file]));
const packageNames = new Map([
  ['@docwright/agent-core', 'packages/agent-core/src/'],
  ['@docwright/documents', 'packages/documents/src/'],
]);

/** Whether `from` imports the file `to`, by its path or by the package that it belongs to. */
function imports(from: string, to: string): boolean {
  const file = files.get(from);
  return (file?.imports ?? []).some((specifier) => {
    const folder = packageNames.get(specifier);
    return folder === undefined ? originsOf(file!, specifier, files).includes(to) : to.startsWith(folder);
  });
}

/** A composition connects the parts of a feature without imports between them. */
const compositions = [...files.keys()].filter((file) =>
  /(?:^|\/)(?:feature|features|[a-z-]+-services)\.ts$/.test(file),
);

/** A file is reachable if an earlier one imports it, or if one composition imports both, directly or through its feature. */
function isReached(file: string, before: string[]): boolean {
  if (before.some((earlier) => imports(earlier, file) || imports(file, earlier))) return true;
  const composing = compositions.filter((composition) => imports(composition, file));
  return before.some((earlier) => {
    const own = compositions.filter((composition) => imports(composition, earlier));
    return composing.some((one) => own.some((other) => one === other || imports(one, other) || imports(other, one)));
  });
}

describe('the paths of ARCHITECTURE.md', () => {
  const paths = listedPaths();

  it('are a chat message, an approval and an upload', () => {
    expect(paths.map(({ title }) => title)).toEqual([
      'A chat message, from the route to the model',
      'An approval',
      'An upload',
    ]);
  });

  it.each(paths)('$title: at most 14 files, each reached from those before it', ({ files: listed }) => {
    expect(listed.length).toBeGreaterThan(5);
    expect(listed.length).toBeLessThanOrEqual(maxFiles);
    expect(listed.filter((file) => !files.has(file))).toEqual([]);
    expect(listed.filter((file, at) => at > 0 && !isReached(file, listed.slice(0, at)))).toEqual([]);
  });
});
