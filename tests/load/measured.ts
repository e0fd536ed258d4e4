import fs from 'node:fs';
import os from 'node:os';
import type { Percentiles } from './report.ts';

/** One run of a scenario, as it is kept for the curves. */
export interface Measurement {
  /** ISO 8601. */
  date: string;
  machine: string;
  /** The load of the machine when the run began: what else it did is in it. */
  load: number;
  scenario: string;
  /** `2+2` is two API and two worker processes. */
  processes: string;
  /** Documents of the organization, or stories of a scenario. */
  size: number;
  seconds: number;
  /** Processor milliseconds of all processes, the database included. */
  processorMs: number;
  /** Milliseconds of clients, by the kind of request, and processor milliseconds of one request where each kind was alone. */
  kinds: Record<string, Percentiles & { processor?: number }>;
}

/** What a run adds to the facts of the machine. */
export type Measured = Omit<Measurement, 'date' | 'machine' | 'load'>;

/** Call it when the run begins. The result adds a measurement to the file. */
export function keepIn(file: string): (measured: Measured) => void {
  const [cpu] = os.cpus();
  const machine = `${os.cpus().length} cores, ${cpu?.model ?? 'unknown'}`;
  const begun = { date: new Date().toISOString(), machine, load: Number(os.loadavg()[0]!.toFixed(1)) };
  return (measured) => {
    const all = fs.existsSync(file) ? readMeasurements(file) : [];
    fs.writeFileSync(file, `${JSON.stringify([...all, { ...begun, ...measured }], null, 2)}\n`);
  };
}

export const readMeasurements = (file: string): Measurement[] => JSON.parse(fs.readFileSync(file, 'utf8'));
