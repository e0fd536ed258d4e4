import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { size } from './short/size.ts';

/**
 * The time of `npm start` until `/ready` answers 200, with everything installed and built, and the memory of the idle server's
 * processes: resident, and proportional (shared memory counts once). Limits: 5 s and 250 MB on two cores.
 */

const root = path.resolve(import.meta.dirname, '../..');
const idleSeconds = size(20, 0);
const runs = size(3, 1);

interface Measured {
  readyAfterMilliseconds: number;
  processes: ProcessMemory[];
}

interface ProcessMemory {
  name: string;
  resident: number;
  proportional: number;
}

const measured: Measured[] = [];
for (let run = 0; run < runs; run += 1) measured.push(await measure());
for (const { readyAfterMilliseconds, processes } of measured) {
  const resident = processes.reduce((sum, memory) => sum + memory.resident, 0).toFixed(0);
  const proportional = processes.reduce((sum, memory) => sum + memory.proportional, 0).toFixed(0);
  const parts = processes.map((memory) => `${memory.name} ${memory.resident.toFixed(0)}`).join(', ');
  console.log(
    `npm start to ready: ${(readyAfterMilliseconds / 1000).toFixed(2)} s; idle: ${resident} MB resident (${parts}), ${proportional} MB proportional`,
  );
}

async function measure(): Promise<Measured> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-bench-'));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: 'ignore',
    detached: true,
  });
  try {
    while (!(await isReady(port))) {
      if (performance.now() - startedAt > 60_000) throw new Error('npm start was not ready within a minute');
      await sleep(20);
    }
    const readyAfterMilliseconds = performance.now() - startedAt;
    await sleep(idleSeconds * 1000);
    return { readyAfterMilliseconds, processes: memoryBelow(child.pid ?? 0) };
  } finally {
    // The whole group, as Ctrl-C in a terminal does.
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await new Promise((resolve) => child.once('exit', resolve));
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/ready`)).ok;
  } catch {
    return false;
  }
}

/** Memory of the server's processes: all processes below `npm start` except npm, its shell and the waiting script. */
function memoryBelow(pid: number): Measured['processes'] {
  return descendants(pid)
    .map((descendant) => ({
      command: fs.readFileSync(`/proc/${descendant}/cmdline`, 'utf8').replaceAll('\0', ' '),
      memory: fs.readFileSync(`/proc/${descendant}/smaps_rollup`, 'utf8'),
    }))
    .filter(({ command }) => /\.ts(\s|$)/.test(command))
    .map(({ command, memory }) => ({
      name: /([\w-]+)\/src\/[\w-]+\.ts/.exec(command)?.[1] ?? command,
      resident: Number(/^Rss:\s+(\d+) kB/m.exec(memory)?.[1] ?? 0) / 1024,
      proportional: Number(/^Pss:\s+(\d+) kB/m.exec(memory)?.[1] ?? 0) / 1024,
    }));
}

function descendants(pid: number): number[] {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean);
  return children.map(Number).flatMap((child) => [child, ...descendants(child)]);
}
