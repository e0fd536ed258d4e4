import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';

/** Identifies a process, so that others can tell whether it still runs. */
export interface ProcessIdentity {
  /** The running system and its pid namespace, in which process ids are unique. */
  machine: string;
  pid: number;
  /** Unique, while pids are reused. */
  instance: string;
}

export const thisProcess: ProcessIdentity = { machine: machineOf(), pid: process.pid, instance: randomUUID() };

/** Whether a process has certainly ended. One on another machine, or whose pid is in use, might be alive. */
export function isKnownDead({ machine, pid, instance }: ProcessIdentity, self = thisProcess): boolean {
  if (machine !== self.machine || instance === self.instance) return false;
  // Two processes never have the same pid at once.
  return pid === self.pid || !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Containers share a boot id and sometimes a host name, but not a pid namespace. */
function machineOf(): string {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${os.hostname()} ${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}
