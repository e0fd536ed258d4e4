import { existsSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the machine. */
const ticksASecond = 100;

/** The CPU time of a process so far, without the processes it has started; undefined where the system does not tell. */
export function cpuSeconds(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The second field is a name in brackets, in which anything may stand.
  const fields = readFileSync(file, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksASecond;
}

/** Processes that this one has started. */
export function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? (readFileSync(file, 'latin1').match(/\d+/gu) ?? []).map(Number) : [];
}
