import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((page) => page !== '' && fs.existsSync(path.join(root, page)));

/** Anchors of headings as on GitHub: lower case, no punctuation, dashes for spaces. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, text]) =>
      text!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/** Links outside of code. */
function linksIn(markdown: string): string[] {
  const prose = markdown.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
}

function isBroken(page: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return false;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? path.join(root, page) : path.join(root, path.dirname(page), file);
  if (!fs.existsSync(target)) return true;
  return anchor !== undefined && !anchorsOf(fs.readFileSync(target, 'utf8')).has(anchor);
}

test('links between pages of documentation lead somewhere', () => {
  expect(pages.length).toBeGreaterThan(10);
  const broken = pages.flatMap((page) =>
    linksIn(fs.readFileSync(path.join(root, page), 'utf8'))
      .filter((link) => isBroken(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('the table of features has each folder of a feature, and no other', () => {
  const page = fs.readFileSync(path.join(root, 'docs/architecture/features.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  expect(named.toSorted()).toEqual(fs.readdirSync(path.join(root, 'apps/api/src/features')).toSorted());
});
