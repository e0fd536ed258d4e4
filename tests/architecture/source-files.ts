import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  path: string;
  text: string;
  lines: number;
  /** What the file imports, as written. */
  imports: string[];
}

const importForms = [
  /^\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]/gm,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
];

let cached: SourceFile[] | undefined;

/** Every tracked or new TypeScript and JavaScript file of the repository, read once for all tests of a process. */
export function sourceFiles(): SourceFile[] {
  cached ??= readSourceFiles();
  return cached;
}

function readSourceFiles(): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
  return listed
    .toString()
    .split('\n')
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && fs.existsSync(path.join(root, name)))
    .map((name) => {
      const text = fs.readFileSync(path.join(root, name), 'utf8');
      const imports = importForms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] ?? ''));
      return { path: name, text, lines: text.split('\n').length - 1, imports };
    });
}

/** The target of an import: a path in the repository for relative imports, otherwise the package's name. */
export function placeOf(file: SourceFile, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return path.posix.normalize(path.posix.join(path.posix.dirname(file.path), specifier));
}

/** The modules behind an import: for an index, the modules that export the imported names; otherwise the target itself. */
export function originsOf(file: SourceFile, specifier: string, known: ReadonlyMap<string, SourceFile>): string[] {
  const place = placeOf(file, specifier);
  const index = /\/features\/[^/]+\/index\.ts$/.test(place) ? known.get(place) : undefined;
  if (index === undefined) return [place];
  const names = new Set(namesOf(file.text, 'import').flatMap((each) => (each.from === specifier ? each.names : [])));
  const origins = namesOf(index.text, 'export')
    .filter((each) => each.names.some((name) => names.has(name)))
    .map((each) => placeOf(index, each.from));
  return origins.length > 0 ? origins : [place];
}

function namesOf(text: string, kind: 'import' | 'export'): { names: string[]; from: string }[] {
  const form = new RegExp(`^${kind} (?:type )?\\{([^}]*)\\} from '([^']+)'`, 'gm');
  return [...text.matchAll(form)].map(([, names = '', from = '']) => ({
    names: names.split(',').map((name) => /^\s*(?:type )?(\w+)/.exec(name)?.[1] ?? ''),
    from,
  }));
}
