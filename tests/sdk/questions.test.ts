import { afterAll, beforeAll, expect, test } from 'vitest';
import { startModelServer, type ModelServer } from '../faults/scripted-model-server.ts';
import { startSignedInProduct, type SignedInProduct } from './signed-in-product.ts';

const question = {
  header: 'Which total',
  question_text: 'Which of the totals \u001b[2Jis meant?',
  options: [{ label: 'Net' }, { label: 'Gross' }],
  multi_select: false,
  allow_other: true,
};

let model: ModelServer;
let product: SignedInProduct;
beforeAll(async () => {
  model = await startModelServer((_name, round) =>
    round === 0 ? { calls: [{ name: 'ask_questions', args: { questions: [question] } }] } : { text: 'Thank you.' },
  );
  product = await startSignedInProduct({ model });
});
afterAll(async () => {
  await product.stop();
  model.stop();
});

test('the agent’s questions are asked and answered by number, or given as JSON', async () => {
  const env = { DOCWRIGHT_TOKEN: product.token };
  const { id } = await product.client.documents.upload({ name: 'note.txt', content: 'Total: 5' });
  await product.client.documents.waitForText(id);
  const answered = await product.docwright(['chat', id, 'case-one'], { env, input: '1,2\n2\n' });
  expect(answered).toMatchObject({ code: 0, stdout: 'Thank you.\n' });
  expect(answered.stderr).toContain('Which of the totals ␛[2Jis meant?');
  expect(answered.stderr).toContain('  2  Gross');

  const waits = await product.docwright(['chat', id, '-m', 'case-two', '--json'], { env });
  expect(waits.code).toBe(5);
  const { turn_id, tool_calls } = JSON.parse(waits.stdout) as {
    turn_id: string;
    tool_calls: { id: string; arguments: string }[];
  };
  const { questions } = JSON.parse(tool_calls[0]!.arguments) as { questions: { id: string }[] };
  const answers = [
    { call_id: tool_calls[0]!.id, answers: [{ question_id: questions[0]!.id, option_ids: [], other: 'Both' }] },
  ];
  expect((await product.docwright(['approve', turn_id], { env })).stderr).toContain('--answers');
  const given = await product.docwright(['approve', turn_id, '--answers', JSON.stringify(answers), '--json'], { env });
  expect(given.code).toBe(0);
  expect(given.stdout).toContain('Both');
});
