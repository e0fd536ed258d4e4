import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

const install = `
  import { installToolchain } from './infra/bootstrap/toolchain.mjs';
  import { installDependencies } from './infra/bootstrap/dependencies.mjs';
  await installDependencies(await installToolchain());
`;

/**
 * A former release of this repository, with its dependencies, in a folder outside of it, which is used again.
 * @param release a commit or tag, or a folder with the dependencies of a release
 */
export function formerRelease(release: string): string {
  if (fs.existsSync(path.join(release, 'package.json'))) return path.resolve(release);
  const commit = execFileSync('git', ['rev-parse', `${release}^{commit}`], { cwd: root, encoding: 'utf8' }).trim();
  const folder = path.join(os.tmpdir(), `docwright-release-${commit.slice(0, 12)}`);
  if (!fs.existsSync(folder)) {
    const unfinished = fs.mkdtempSync(`${folder}-`);
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 });
    execFileSync('tar', ['-x', '-C', unfinished], { input: archive });
    fs.renameSync(unfinished, folder);
  }
  execFileSync(process.execPath, ['--input-type=module', '-e', install], { cwd: folder, stdio: 'inherit' });
  return folder;
}
