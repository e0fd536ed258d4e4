/** Starts programs of the machine for the interoperability run. */
import { spawn, spawnSync } from 'node:child_process';

export type Env = Record<string, string>;

const longest = 10 * 60_000;

export function has(program: string): boolean {
  const found = spawnSync(process.platform === 'win32' ? 'where' : 'which', [program], { stdio: 'ignore' });
  return found.status === 0;
}

export function missing(programs: string[]): string[] {
  return programs.filter((program) => !has(program));
}

/**
 * Runs a program and returns its output, for example `await run('go', ['version'], { cwd: '.' })`.
 *
 * @throws Error with the end of its output if it fails or takes longer than ten minutes
 */
export function run(program: string, args: string[], { cwd, env = {} }: { cwd: string; env?: Env }): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longest,
    });
    let stdout = '';
    let all = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      all = (all + chunk.toString()).slice(-8000);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      all = (all + chunk.toString()).slice(-8000);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`${program} ended with ${signal ?? code}:\n${all}`));
    });
  });
}
