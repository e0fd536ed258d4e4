import { spawn } from 'node:child_process';

/**
 * Runs a command to its end and returns its exit code. The output goes to the terminal, or to `onOutput`; with `quiet`, only the
 * last lines are shown, and only if the command fails.
 */
export function runCommand(command, args, { cwd, env = process.env, quiet = false, onOutput, timeout } = {}) {
  return new Promise((resolve) => {
    // npm is a batch file on Windows, which spawn runs only through a shell.
    const child = spawn(command, args, {
      cwd,
      env,
      timeout,
      shell: process.platform === 'win32' && !command.endsWith('.exe'),
      stdio: quiet || onOutput !== undefined ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    let tail = '';
    const keep = (chunk) => {
      tail = (tail + chunk).slice(-8000);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput ?? keep);
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('close', (code) => {
      if (quiet && code !== 0) process.stderr.write(tail);
      resolve(code ?? 1);
    });
  });
}
