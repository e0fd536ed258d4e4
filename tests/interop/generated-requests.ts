/** Schemathesis: requests generated from the OpenAPI document, to every operation. */
import { run } from './programs.ts';

/** Enough for an operation to be tried in each way, and few enough for a run of some minutes. */
const examplesEach = 5;

/**
 * What Schemathesis counted, in a line. Streams of events have no end and are left out; so is what ends the session that it uses.
 *
 * @throws Error with its last words where an answer is a 5xx, or does not have the shape that the document says.
 */
export async function generatedRequests(
  program: string,
  folder: string,
  { url, token }: { url: string; token: string },
): Promise<string> {
  const checks = 'not_a_server_error,content_type_conformance,response_schema_conformance';
  const options = ['--phases', 'fuzzing', '--mode', 'all', '--max-examples', String(examplesEach), '--checks', checks];
  const bounds = ['--seed', '1042', '--request-timeout', '20', '--generation-deterministic'];
  // Its advice on chaining operations would push what failed out of its last words.
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
