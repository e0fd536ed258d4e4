import { afterAll, beforeAll, expect, test } from 'vitest';
import { interruptAt, startSignedInProduct, type SignedInProduct } from './signed-in-product.ts';
import { startSlowModel } from './slow-model.ts';

const words = 40;
let model: Awaited<ReturnType<typeof startSlowModel>>;
let product: SignedInProduct;
let documentId: string;
let env: { DOCWRIGHT_TOKEN: string };
beforeAll(async () => {
  model = await startSlowModel(words);
  product = await startSignedInProduct({ model });
  env = { DOCWRIGHT_TOKEN: product.token };
  documentId = (await product.client.documents.upload({ name: 'note.txt', content: 'Total: 5' })).id;
  await product.client.documents.waitForText(documentId);
});
afterAll(async () => {
  await product.stop();
  model.stop();
});

test('the first Ctrl-C stops the turn in the server', async () => {
  const watch = interruptAt('word3');
  const end = await product.spawnDocwright(['chat', documentId, '-m', 'count'], { env, watch });
  expect(end.stderr).toContain('Press Ctrl-C again to leave it running in the server');
  expect(end.stderr).toContain('The turn was stopped');
  expect(end.stdout).not.toContain(`word${words}`);
  expect(end.code).toBe(1);
  model.goOn();
});

test('the second leaves it running and says how to follow it again', async () => {
  const watch = interruptAt('word3', 'Ctrl-C again');
  const end = await product.spawnDocwright(['chat', documentId, '-m', 'count'], { env, watch });
  expect(end.code).toBe(130);
  model.goOn();
  const turnId = new RegExp(`docwright turn ([0-9a-f]{24}) --document ${documentId}`).exec(end.stderr)?.[1] ?? '';
  const answer = await product.client.chat.events(documentId, turnId).answer();
  expect(answer).toMatchObject({ status: 'completed', text: expect.stringContaining(`word${words}`) });
});

test('a running turn is followed to its end by another command', async () => {
  const stream = product.client.chat.stream(documentId, { messages: [{ role: 'user', content: 'count' }] });
  for await (const { type } of stream) if (type === 'assistant_text_chunk') break;
  const turnId = stream.turnId ?? '';
  // The model continues after the command has printed the first words.
  const watch = (output: string) => {
    if (output.includes('word3')) model.goOn();
  };
  const end = await product.spawnDocwright(['turn', turnId, '--document', documentId], { env, watch });
  expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining(`word${words}`) });
});
