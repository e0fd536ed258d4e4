import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = path.resolve(import.meta.dirname, '../../infra/bootstrap/release.mjs');
const { makeRelease } = (await import(script)) as {
  makeRelease: (root: string, version: string, date?: string) => void;
};

let root: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const write = (file: string, text: string) => fs.writeFileSync(path.join(root, file), text);
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const commit = () => git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qam', 'Work');

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-release-'));
  git('init', '--quiet');
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@example.com');
  fs.mkdirSync(path.join(root, 'packages/one'), { recursive: true });
  write('package.json', '{ "version": "0.1.0" }');
  write('packages/one/package.json', '{ "version": "0.1.0", "dependencies": { "other": "0.1.0" } }');
  fs.mkdirSync(path.join(root, 'infra/kubernetes'), { recursive: true });
  write('infra/kubernetes/kustomization.yaml', 'newTag: 0.1.0\n');
  write(
    'CHANGELOG.md',
    '# Changelog\n\n## [Unreleased]\n\n- Faster.\n\n### Upgrade\n\nNothing.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n',
  );
  git('add', '--all');
  commit();
});
afterEach(() => fs.rmSync(root, { recursive: true }));

it('a release has its version in all packages, its section in the changelog, a commit and a tag', () => {
  makeRelease(root, '0.2.0', '2026-11-28');
  expect(read('packages/one/package.json')).toBe('{ "version": "0.2.0", "dependencies": { "other": "0.1.0" } }');
  expect(read('infra/kubernetes/kustomization.yaml')).toBe('newTag: 0.2.0\n');
  expect(read('CHANGELOG.md')).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-28\n\n- Faster.\n\n### Upgrade\n\nNothing.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n',
  );
  expect(git('status', '--porcelain')).toBe('');
  expect(git('tag', '--points-at', 'HEAD')).toBe('v0.2.0');
});

it.each([
  ['an older version', '0.0.9', () => undefined, /not newer than 0\.1\.0/u],
  ['no version', '', () => undefined, /Name the version/u],
  ['changes that are not committed', '0.2.0', () => write('package.json', '{ "version": "0.1.0", "a": 1 }'), /Commit/u],
  ['nothing to release', '0.2.0', () => change('# Changelog\n\n## [Unreleased]\n'), /names nothing/u],
  ['no word for those who upgrade', '0.2.0', () => change('## [Unreleased]\n\n- Faster.\n'), /Upgrade/u],
])('%s is refused and changes nothing', (_, version, prepare, message) => {
  prepare();
  const before = read('package.json');
  expect(() => makeRelease(root, version)).toThrow(message);
  expect(read('package.json')).toBe(before);
  expect(git('tag')).toBe('');
});

function change(changelog: string) {
  write('CHANGELOG.md', changelog);
  commit();
}
