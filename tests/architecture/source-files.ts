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

/** Every tracked or new TypeScript and JavaScript file of the repository. */
export function sourceFiles(): SourceFile[] {
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

/** An import as a place: a path in the repository for relative ones, the package's name for others. */
export function placeOf(file: SourceFile, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return path.posix.normalize(path.posix.join(path.posix.dirname(file.path), specifier));
}
