import { Readable, Writable } from 'node:stream';
import { runCommand } from '../command/run-command.ts';

/** Runs the command without standard input, and returns its exit code and its output. */
export async function runCaptured(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const [stdout, stderr] = [capture(), capture()];
  const code = await runCommand(args, '1.2.3', { env, stdin: Readable.from([]), stdout, stderr });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function capture() {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return Object.assign(stream, { text: () => text });
}
