import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isKnownDead, thisProcess } from './process-identity.ts';

it('recognizes a dead process of this machine, and calls no process dead that might live', async () => {
  expect(isKnownDead(thisProcess)).toBe(false);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
  const other = { machine: thisProcess.machine, pid: child.pid!, instance: 'other' };
  expect(isKnownDead(other)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isKnownDead(other)).toBe(true);
  expect(isKnownDead({ ...other, machine: 'elsewhere' })).toBe(false);
  // An earlier process with this process's pid is dead.
  expect(isKnownDead({ ...thisProcess, instance: 'earlier' })).toBe(true);
  // An unknown process might live.
  expect(isKnownDead({ ...other, pid: Number.NaN })).toBe(false);
});

it.runIf(process.platform === 'linux')('names the boot and the pid namespace, which containers do not share', () => {
  expect(thisProcess).toEqual({
    machine: expect.stringMatching(/^\S+ [\da-f-]{36} pid:\[\d+\]$/u),
    pid: process.pid,
    instance: expect.stringMatching(/^[\da-f-]{36}$/u),
  });
});
