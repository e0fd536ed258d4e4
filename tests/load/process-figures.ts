import fs from 'node:fs';

/** Linux counts processor time in hundredths of a second for programs. */
const tickMs = 10;
const pageBytes = 4096;

/** Processor milliseconds of a process since its start, from Linux's `/proc`. */
export function processorMs(pid: number): number {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Resident memory of a process, from Linux's `/proc`. */
export const residentBytes = (pid: number): number =>
  Number(fs.readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
