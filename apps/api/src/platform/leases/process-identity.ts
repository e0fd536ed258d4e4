import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';

/** Which process does something, so that another one can tell whether it is still there. */
export interface ProcessIdentity {
  /** The one running system, and within it the space in which process ids are unique. */
  machine: string;
  pid: number;
  /** Unlike a pid never given again. */
  instance: string;
}

export const thisProcess: ProcessIdentity = { machine: machineOf(), pid: process.pid, instance: randomUUID() };

/** Whether a process is certainly gone. One of another machine, or whose pid is in use again, may be alive. */
export function isKnownDead({ machine, pid, instance }: ProcessIdentity, self = thisProcess): boolean {
  if (machine !== self.machine || instance === self.instance) return false;
  // Two processes cannot have the same pid at the same time.
  return pid === self.pid || !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Containers share a boot and sometimes a host name, but no process ids. */
function machineOf(): string {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${os.hostname()} ${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}
