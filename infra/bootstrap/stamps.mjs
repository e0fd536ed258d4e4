import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './toolchain.mjs';

const ignoredNames = new Set(['node_modules', 'dist', '.git']);
const testFile = /\.test\.tsx?$/u;

/** One hash of the names and bytes of files and folders, without tests. Paths are relative to the repository. */
export function hashOf(places, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const place of places) addTo(hash, path.join(root, place));
  return hash.digest('hex');
}

function addTo(hash, place) {
  if (!fs.existsSync(place)) return;
  if (fs.statSync(place).isDirectory()) {
    const names = fs.readdirSync(place).filter((name) => !ignoredNames.has(name) && !testFile.test(name));
    for (const name of names.toSorted()) addTo(hash, path.join(place, name));
    return;
  }
  hash.update(path.relative(root, place)).update(fs.readFileSync(place));
}

/** Does `work` unless it was done for the same key before. The stamp is written after `work` has succeeded. */
export async function oncePerKey(stampPath, key, work) {
  if (fs.existsSync(stampPath) && fs.readFileSync(stampPath, 'utf8') === key) return;
  await work();
  fs.mkdirSync(path.dirname(stampPath), { recursive: true });
  fs.writeFileSync(stampPath, key);
}
