import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Makes a release: gives all packages and the image of the manifests the version, turns what the changelog calls unreleased into a section with the
 * version and today's date, commits, and tags the commit. `npm run release -- 0.3.0`
 */
export function makeRelease(root, version, date = new Date().toISOString().slice(0, 10)) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const manifest = path.join(root, 'package.json');
  const before = JSON.parse(fs.readFileSync(manifest, 'utf8')).version;
  if (!/^\d+\.\d+\.\d+$/u.test(version ?? '')) throw new Error('Name the version: npm run release -- 0.3.0');
  if (!isNewer(version, before)) throw new Error(`${version} is not newer than ${before}.`);
  if (git('status', '--porcelain') !== '') throw new Error('Commit or remove your changes first.');
  const changelog = path.join(root, 'CHANGELOG.md');
  const released = releasedChangelog(fs.readFileSync(changelog, 'utf8'), version, date);
  fs.writeFileSync(changelog, released);
  for (const file of git('ls-files', 'package.json', '*/package.json').split('\n')) {
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    fs.writeFileSync(path.join(root, file), text.replace(`"version": "${before}"`, `"version": "${version}"`));
  }
  const manifests = path.join(root, 'infra/kubernetes/kustomization.yaml');
  const images = fs.readFileSync(manifests, 'utf8');
  fs.writeFileSync(manifests, images.replace(`newTag: ${before}`, `newTag: ${version}`));
  git('add', '--all');
  git('commit', '--quiet', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
  return { before, version };
}

/** The changelog with a section of the version in place of what was unreleased. Throws if nothing was. */
function releasedChangelog(text, version, date) {
  const heading = '## [Unreleased]\n';
  const start = text.indexOf(heading);
  const next = text.indexOf('\n## ', start + heading.length);
  const changes = text.slice(start + heading.length, next < 0 ? undefined : next).trim();
  if (start < 0 || changes === '') throw new Error('CHANGELOG.md names nothing below “[Unreleased]”.');
  if (!changes.includes('### Upgrade')) {
    throw new Error('CHANGELOG.md needs a part “### Upgrade”: migrations, settings, and how long it takes.');
  }
  const rest = next < 0 ? '' : text.slice(next);
  return `${text.slice(0, start)}${heading}\n## [${version}] - ${date}\n\n${changes}\n${rest}`;
}

function isNewer(version, before) {
  const [one, other] = [version, before].map((each) => each.split('.').map(Number));
  const at = one.findIndex((part, place) => part !== other[place]);
  return at >= 0 && one[at] > other[at];
}

if (import.meta.main) {
  try {
    const { before, version } = makeRelease(path.resolve(import.meta.dirname, '../..'), process.argv[2]);
    process.stdout.write(
      `${before} → ${version}, committed and tagged v${version}. Publish it: git push --follow-tags\n`,
    );
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
