import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const assets = path.resolve(import.meta.dirname, '../../apps/web/dist/assets');
const html = path.resolve(assets, '../index.html');
const importing = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/gu;

/** A chunk and all that it cannot run without, by file name. */
function closure(...names: string[]): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const code = fs.readFileSync(path.join(assets, name), 'utf8');
    for (const [, imported] of code.matchAll(importing)) if (imported !== undefined) visit(imported);
  };
  for (const name of names) visit(name);
  return found;
}

const kilobytes = (names: Set<string>) =>
  [...names].reduce((sum, name) => sum + gzipSync(fs.readFileSync(path.join(assets, name))).length, 0) / 1000;

const chunk = (prefix: string): string => {
  const name = fs.readdirSync(assets).find((each) => each.startsWith(prefix) && each.endsWith('.js'));
  if (name === undefined) throw new Error(`There is no chunk ${prefix}.`);
  return name;
};

describe('gzipped JavaScript of the built app', () => {
  const entry = /assets\/([\w.-]+\.js)/u.exec(fs.readFileSync(html, 'utf8'))?.[1] ?? '';
  const shell = [entry];
  const agent = [...shell, chunk('document-page-'), chunk('agent-panel-')];
  const viewer = [...agent, chunk('pdf-viewer-')];

  it.each([
    ['the shell', 150, shell],
    ['with the agent', 270, agent],
    ['with the PDF viewer', 450, viewer],
  ])('%s stays within %i kB', (_what, budget, chunks) => {
    expect(kilobytes(closure(...chunks))).toBeLessThanOrEqual(budget);
  });

  it('loads the JSON editor when it is first used', () => {
    expect(closure(...agent).has(chunk('argument-editor-'))).toBe(false);
  });
});
