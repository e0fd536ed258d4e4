import { existsSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second on every machine. */
const ticksPerSecond = 100;

/** The CPU time of a process so far, without its child processes; undefined if the system does not report it. */
export function cpuSeconds(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The second field is a name in brackets, which can contain any character.
  const fields = readFileSync(file, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The child processes of a process. */
export function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? (readFileSync(file, 'latin1').match(/\d+/gu) ?? []).map(Number) : [];
}
