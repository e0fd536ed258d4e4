/** Schemathesis: requests generated from the OpenAPI document, to every operation. */
import { run } from './programs.ts';

/** Enough to try an operation in each way, and few enough for a run of some minutes. */
const examplesEach = 5;

/**
 * Runs Schemathesis and returns its counts in one line. Streams of events are left out, because they have no end, and so are
 * operations that end its session.
 *
 * @throws Error with the end of its output if an answer is a 5xx or does not have the documented shape.
 */
export async function generatedRequests(
  program: string,
  folder: string,
  { url, token }: { url: string; token: string },
): Promise<string> {
  const checks = 'not_a_server_error,content_type_conformance,response_schema_conformance';
  const options = ['--phases', 'fuzzing', '--mode', 'all', '--max-examples', String(examplesEach), '--checks', checks];
  const bounds = ['--seed', '1042', '--request-timeout', '20', '--generation-deterministic'];
  // Without its advice on chaining operations, which would push the failures out of the end of its output.
  const words = ['--no-color', '--warnings', 'off'];
  const leftOut = ['--exclude-path-regex', '/events$|/mcp$|/auth/|sign_out|/back_up'];
  const headers = ['-H', `Authorization: Bearer ${token}`];
  const output = await run(
    program,
    ['run', `${url}/docs/json`, ...headers, ...options, ...bounds, ...words, ...leftOut],
    {
      cwd: folder,
    },
  );
  const counted = output.split('\n').findLast((line) => /generated|passed/i.test(line)) ?? '';
  return counted.replaceAll(/[^\w ,.:]/g, '').trim();
}
