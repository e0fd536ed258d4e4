import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const supervise = pathToFileURL(resolve(import.meta.dirname, '../../infra/bootstrap/supervise.mjs')).href;
const server = `process.on('SIGTERM', () => { console.log('in order'); process.exit(0); });
  setInterval(() => undefined, 1000); console.log('ready');`;
const starter = `import { spawn } from 'node:child_process';
  import { superviseServer } from '${supervise}';
  superviseServer()(spawn(process.execPath, ['-e', process.env.SERVER], { stdio: 'inherit' }));`;

it.runIf(process.platform !== 'win32')(
  'a SIGTERM to npm, which ends its shell alone, ends the server in order',
  async () => {
    // As npm does: a shell that waits for the command.
    const command = '"$NODE" --input-type=module -e "$STARTER"; true';
    const env = { NODE: process.execPath, STARTER: starter, SERVER: server, npm_lifecycle_event: 'start' };
    const shell = spawn('/bin/sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => {
      if (!output.includes('ready') && chunk.includes('ready')) shell.kill('SIGTERM');
      output += chunk.toString();
    });
    // Closes when no process writes to it any more: neither the server nor its starter.
    await once(shell.stdout, 'close');
    expect(output).toBe('ready\nin order\n');
  },
);
