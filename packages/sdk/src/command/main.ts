#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { exitCodes } from './context/exit-codes.ts';
import { runCommand } from './run-command.ts';

// `docwright documents | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  throw error;
});

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
process.exitCode = await runCommand(process.argv.slice(2), manifest.version);
