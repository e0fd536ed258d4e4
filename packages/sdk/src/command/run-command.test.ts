import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

function collector() {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return Object.assign(stream, { text: () => text });
}

async function run(args: string[]) {
  const [stdout, stderr] = [collector(), collector()];
  const code = await runCommand(args, '1.2.3', { env: {}, stdin: Readable.from([]), stdout, stderr });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

test.each([
  [['documents', '--nope', '--json'], "Unknown option '--nope'."],
  [['--json', 'documents', '--nope'], "Unknown option '--nope'."],
  [['--json', 'text'], "Missing required argument 'document'."],
  [['--json', 'uplaod'], "Unknown command 'uplaod'. Did you mean upload?"],
  [['--json', 'documents', '--limit', 'x'], '"x" is not a whole number of at least 1.'],
  [['--json'], 'Name a command.'],
])('with --json a usage error in %j is one JSON document too', async (args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect(JSON.parse(stdout)).toEqual({ error: { code: 'usage', message } });
  expect(code).toBe(2);
  expect(stderr).not.toBe('');
});

test('without --json, or if it is an argument, standard output stays empty', async () => {
  expect(await run(['documents', '--nope'])).toMatchObject({ code: 2, stdout: '' });
  expect(await run(['text', 'a', 'b', '--', '--json'])).toMatchObject({ code: 2, stdout: '' });
});

test('help and version are printed as text, even with --json', async () => {
  expect(await run(['--version', '--json'])).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
  expect(await run(['--help', '--json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Usage: docwright'),
  });
});
