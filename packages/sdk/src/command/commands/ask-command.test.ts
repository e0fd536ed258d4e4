import { afterEach, expect, it } from 'vitest';
import { runCaptured } from '../../testing/run-captured.ts';
import { answer, startScriptedServer } from '../../testing/scripted-server.ts';

const id = '6650f1c2a4b3d2e1f0a9b8c0';
let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;
afterEach(() => server?.stop());

const coverage = {
  documents: 5,
  with_result: 4,
  with_value: 3,
  without_value: [id],
  at_risk: 0,
  incomplete: 0,
  unread: 1,
  hidden: 0,
};

async function ask(claims: object[]) {
  const turn = { status: 'completed', text: 'x', claims, coverage, executed_rounds: [], tool_calls: [] };
  server = await startScriptedServer(answer(200, turn));
  const env = { DOCWRIGHT_URL: server.url, DOCWRIGHT_TOKEN: 'dw_token', DOCWRIGHT_ORG: id };
  return await runCaptured(['ask', 'What', 'did', 'we', 'pay?'], env);
}

it('prints the sentences without marks, and what the answer covers', async () => {
  const ran = await ask([{ text: 'We paid 500 EUR [[a1]].', from: 0, to: 23, support: 'supported', citations: [] }]);
  expect(ran).toMatchObject({ code: 0, stdout: 'We paid 500 EUR.\n' });
  expect(ran.stderr).toContain('3 of 5 documents have the fields, 4 have a result; 1 are not read.');
});

it('exits with 9 if a sentence is unsupported, and says why', async () => {
  const claim = {
    text: 'We paid 501 EUR [[a1]].',
    from: 0,
    to: 23,
    support: 'unsupported',
    citations: [],
    why: 'It is 500.',
  };
  const ran = await ask([claim]);
  expect(ran).toMatchObject({ code: 9, stdout: expect.stringContaining('not supported: We paid 501 EUR. It is 500.') });
});
