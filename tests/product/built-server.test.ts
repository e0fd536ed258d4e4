import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { spawnServer } from './built-server.ts';

it('reports errors of the bundled server with their places in the sources', async () => {
  const source = 'apps/api/src/process/run-server.ts';
  const lines = fs.readFileSync(path.resolve(import.meta.dirname, '../..', source), 'utf8').split('\n');
  // A file in the place of the data folder makes the start fail with a stack trace.
  const printing = 'process.exit = () => { console.error(new Error("the end").stack); process.kill(process.pid); }';
  const server = spawnServer({
    DATA_DIR: fileURLToPath(import.meta.url),
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(printing)}`,
  });
  let output = '';
  server.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(server, 'close');
  expect(output).toContain(
    `${path.normalize(source)}:${lines.findIndex((line) => line.includes('error.message')) + 2}:`,
  );
});
