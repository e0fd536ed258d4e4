import { expect, test } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';

test.each([
  [['documents', '--nope', '--json'], "Unknown option '--nope'."],
  [['--json', 'documents', '--nope'], "Unknown option '--nope'."],
  [['--json', 'text'], "Missing required argument 'document'."],
  [['--json', 'uplaod'], "Unknown command 'uplaod'. Did you mean upload?"],
  [['--json', 'documents', '--limit', 'x'], '"x" is not a whole number of at least 1.'],
  [['--json'], 'Name a command.'],
])('with --json a usage error in %j is one JSON document too', async (args, message) => {
  const { code, stdout, stderr } = await runCaptured(args);
  expect(JSON.parse(stdout)).toEqual({ error: { code: 'usage', message } });
  expect(code).toBe(2);
  expect(stderr).not.toBe('');
});

test('without --json, or if it is an argument, standard output stays empty', async () => {
  expect(await runCaptured(['documents', '--nope'])).toMatchObject({ code: 2, stdout: '' });
  expect(await runCaptured(['text', 'a', 'b', '--', '--json'])).toMatchObject({ code: 2, stdout: '' });
});

test('help and version are printed as text, even with --json', async () => {
  expect(await runCaptured(['--version', '--json'])).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
  expect(await runCaptured(['--help', '--json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Usage: docwright'),
  });
});
