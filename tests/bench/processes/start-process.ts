import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

const children: ChildProcess[] = [];

/** Starts a script of this folder. Returns the words that it prints when it listens. */
export async function startProcess(file: string, ...parameters: string[]): Promise<{ pid: number; words: string[] }> {
  const script = path.join(import.meta.dirname, file);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface(child.stdout)) {
    const said = /^listening (.*)$/.exec(line)?.[1];
    if (said !== undefined) return { pid: child.pid ?? 0, words: said.split(' ') };
  }
  throw new Error(`${file} ended before it listened`);
}

/** Ends all that were started. */
export function endProcesses(): void {
  for (const child of children) child.kill('SIGTERM');
}
