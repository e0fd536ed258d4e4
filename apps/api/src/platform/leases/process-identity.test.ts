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
  // A process that cannot be asked about may live.
  expect(isKnownDead({ ...other, pid: Number.NaN })).toBe(false);
});

it.runIf(process.platform === 'linux')(
  'names the boot and the space of process ids, which containers do not share',
  () => {
    expect(thisProcess).toEqual({
      machine: expect.stringMatching(/^\S+ [\da-f-]{36} pid:\[\d+\]$/u),
      pid: process.pid,
      instance: expect.stringMatching(/^[\da-f-]{36}$/u),
    });
  },
);
