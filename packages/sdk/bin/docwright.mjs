#!/usr/bin/env node
// Runs the command from the workspace sources. The published package runs `dist/command/main.js` instead.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const main = new URL('../src/command/main.ts', import.meta.url);
const runsTypeScript = Number(process.versions.node.split('.')[0]) >= 24;

if (runsTypeScript) {
  // Caches the compiled sources for the next run.
  module.enableCompileCache();
  await import(main.href);
} else {
  const { installToolchain } = await import('../../../infra/bootstrap/toolchain.mjs');
  const { node, env } = await installToolchain();
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { env, stdio: 'inherit' });
  // The terminal sends Ctrl-C to the child as well, which handles it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
}
