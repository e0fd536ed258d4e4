import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invoice, root, startSignedInProduct, type SignedInProduct } from './signed-in-product.ts';

let product: SignedInProduct;
let folder: string;
beforeAll(async () => {
  product = await startSignedInProduct();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-reader-'));
});
afterAll(async () => {
  await product.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const guide = fs.readFileSync(path.join(root, 'docs/programs/sdk.md'), 'utf8');

function run(file: string): string {
  const env = { PATH: process.env['PATH'], DOCWRIGHT_TOKEN: product.token };
  return execFileSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
}

test('the SDK guide shows a chat from upload to result in ten lines, and they run', () => {
  const snippet = /```ts\n(import \{ createDocwright \}[^`]+)```/.exec(guide)?.[1] ?? '';
  expect(snippet.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  fs.mkdirSync(path.join(folder, 'node_modules/@docwright'), { recursive: true });
  fs.symlinkSync(path.join(root, 'packages/sdk'), path.join(folder, 'node_modules/@docwright/sdk'));
  fs.copyFileSync(invoice, path.join(folder, 'invoice.pdf'));
  // Only the address differs: the product of this test has its own port.
  expect(snippet).toContain('http://127.0.0.1:3000');
  fs.writeFileSync(path.join(folder, 'snippet.mjs'), snippet.replace('http://127.0.0.1:3000', product.url));
  expect(run('snippet.mjs')).toContain("invoice_number: 'INV-100'");
});

test('the published package contains plain JavaScript with types, and runs', () => {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const contract = path.join(folder, 'published/node_modules/@docwright/contract');
  const sdk = path.join(folder, 'published/node_modules/@docwright/sdk');
  for (const [name, place] of [
    ['contract', contract],
    ['sdk', sdk],
  ] as const) {
    const source = path.join(root, 'packages', name);
    const out = path.join(source, 'dist');
    execFileSync(process.execPath, [tsc, '-p', path.join(source, 'tsconfig.build.json')], { encoding: 'utf8' });
    fs.cpSync(out, path.join(place, 'dist'), { recursive: true });
    // As pnpm does when it packs the package.
    const { publishConfig, ...manifest } = JSON.parse(fs.readFileSync(path.join(source, 'package.json'), 'utf8')) as {
      publishConfig: object;
    };
    fs.writeFileSync(path.join(place, 'package.json'), JSON.stringify({ ...manifest, ...publishConfig }));
  }
  const libraries = path.join(root, 'packages/sdk/node_modules');
  for (const name of fs.readdirSync(libraries).filter((name) => !name.startsWith('.') && name !== '@docwright')) {
    fs.symlinkSync(path.join(libraries, name), path.join(folder, 'published/node_modules', name));
  }
  const manifest = JSON.parse(fs.readFileSync(path.join(sdk, 'package.json'), 'utf8')) as {
    bin: { docwright: string };
  };
  const env = { PATH: process.env['PATH'], DOCWRIGHT_TOKEN: product.token, DOCWRIGHT_URL: product.url };
  const bin = path.join(sdk, manifest.bin.docwright);
  const documents = execFileSync(process.execPath, [bin, 'documents', '--json'], { env, encoding: 'utf8' });
  expect(JSON.parse(documents)).toHaveProperty('documents');

  const reader = path.join(folder, 'published/reader.mts');
  fs.writeFileSync(
    reader,
    [
      "import { createDocwright, type Document } from '@docwright/sdk';",
      "const docwright = createDocwright({ baseUrl: 'http://x' });",
      "export const right: Document = await docwright.documents.get('id');",
      'export const wrong: number = right.document_name;',
    ].join('\n'),
  );
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'nodenext',
    types: [],
  };
  const project = path.join(folder, 'published/tsconfig.json');
  fs.writeFileSync(project, JSON.stringify({ compilerOptions, files: ['reader.mts'] }));
  expect(() => execFileSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' })).toThrow(
    expect.objectContaining({ stdout: expect.stringMatching(/^[^\n]*reader\.mts\(4,14\): error TS2322[^\n]*\n$/) }),
  );
});
