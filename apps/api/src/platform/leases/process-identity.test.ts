import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isKnownDead, thisProcess } from './process-identity.ts';

it('knows a process of this machine that is gone, and calls none dead that may live', async () => {
  expect(isKnownDead(thisProcess)).toBe(false);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
  const other = { machine: thisProcess.machine, pid: child.pid!, instance: 'other' };
  expect(isKnownDead(other)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isKnownDead(other)).toBe(true);
  expect(isKnownDead({ ...other, machine: 'elsewhere' })).toBe(false);
  // Whoever had the pid of this process before is gone.
  expect(isKnownDead({ ...thisProcess, instance: 'earlier' })).toBe(true);
});
