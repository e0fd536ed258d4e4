import { spawn } from 'node:child_process';
import { installDependencies } from './dependencies.mjs';
import { fetchModels } from './fetch-models.mjs';
import { buildServer } from './server-build.mjs';
import { superviseServer } from './supervise.mjs';
import { installToolchain, root } from './toolchain.mjs';
import { buildWeb } from './web-build.mjs';

const supervise = superviseServer();
const toolchain = await installToolchain();
await installDependencies(toolchain);
// A worker serves no pages.
const web = process.env.ROLE === 'worker' ? undefined : buildWeb(toolchain);
const [{ server, flags, memoryFlags, env }] = await Promise.all([buildServer(toolchain), web]);

const child = spawn(toolchain.node, [...flags, ...memoryFlags, server], {
  cwd: root,
  env: { ...env, ...toolchain.env },
  stdio: 'inherit',
});
supervise(child);
fetchModels(toolchain);
