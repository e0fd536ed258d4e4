import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSignedInProduct, type SignedInProduct } from './signed-in-product.ts';

let product: SignedInProduct;
let docwright: (args: string[], input?: string) => ReturnType<SignedInProduct['docwright']>;
beforeAll(async () => {
  product = await startSignedInProduct();
  const env = { DOCWRIGHT_TOKEN: product.token };
  docwright = (args, input = '') => product.docwright(args, { env, input });
  const files = { 'lease.txt': 'The tenant pays rent on the first day.', 'menu.txt': 'Soup of \u001b[31mthe day.' };
  for (const [name, content] of Object.entries(files)) {
    const { id } = await product.client.documents.upload({ name, content });
    await product.client.documents.waitForText(id);
  }
});
afterAll(() => product.stop());

test('a pipeline is built line by line, applied after a question, and its collection is searched by name', async () => {
  const made = await docwright(['sources', 'create', 'Papers', '--search', '.txt']);
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('of 2 documents') });
  expect((await docwright(['sources'])).stdout).toMatch(/^[0-9a-f]{24}\tPapers\t2\t/);

  const no = await docwright(['setup', 'papers'], 'Make it searchable\napply it as "Leases"\nn\n');
  expect(no.code).toBe(0);
  expect(no.stderr).toContain('About Papers, 2 documents.');
  expect(no.stderr).toContain('✓ spawn_source_analyzer');
  expect(no.stderr).toMatch(/Pipeline: .*recursive → words/);
  expect(no.stderr).toContain('Apply it as “Leases”?');
  expect(no.stdout).toContain('2 of 2 documents succeeded.');
  const [, id = ''] = /--conversation ([0-9a-f]{24})/.exec(no.stderr) ?? [];
  expect((await docwright(['collections', '--json'])).stdout).toBe('{\n  "collections": []\n}\n');

  const left = await docwright(['setup', '--conversation', id], 'apply it as "Leases"\n');
  expect(left).toMatchObject({ code: 5, stderr: expect.stringContaining(`--conversation ${id} --apply 'Leases'`) });
  const yes = await docwright(['setup', '--conversation', id, '--wait'], 'apply it as "Leases"\nRent\n');
  expect(yes).toMatchObject({ code: 0, stdout: expect.stringContaining('Rent ready: 2 of 2 documents') });
  const over = await docwright(['setup', '--conversation', id]);
  expect(over).toMatchObject({ code: 2, stderr: expect.stringContaining('is applied') });

  const found = await docwright(['search', 'rent', 'tenant', '--limit', '1']);
  expect(found.stdout).toMatch(/^1 {2}lease\.txt, page 1\n {3}The tenant pays rent/);
  expect(found.stdout).toContain('?page=1&start=0&end=');
  const nothing = await docwright(['search', 'Rent', 'submarine']);
  expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing found.\n' });
  expect((await docwright(['search', 'Rent', 'soup'])).stdout).toContain('Soup of ␛[31mthe day.');
});

test('the same without a terminal, as JSON', async () => {
  await product.client.sources.create({ name: 'All' });
  const said = await docwright(['setup', 'All', '-m', 'Make it searchable', '--json']);
  expect(said.code).toBe(0);
  const { conversation_id, answer } = JSON.parse(said.stdout);
  expect(answer).toMatchObject({ status: 'active', uncertainties: [] });
  const asked = await docwright(['setup', '--conversation', conversation_id, '-m', 'apply it as "X"', '--json']);
  expect(asked.code).toBe(5);
  const applied = await docwright([
    'setup',
    '--conversation',
    conversation_id,
    '--apply',
    'Everything',
    '--wait',
    '--json',
  ]);
  expect(applied.code).toBe(0);
  const { collection, applied: made } = JSON.parse(applied.stdout);
  expect([made.collection_name, collection.status, collection.progress.indexed]).toEqual(['Everything', 'ready', 2]);

  const events = await docwright(['setup', 'All', '-m', 'Make it searchable', '--json', '--events']);
  const lines = events.stdout.trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'done' });

  const shown = await docwright(['collections', 'show', 'Everything']);
  expect(shown.stdout).toContain('ready: 2 of 2 documents');
  expect(JSON.parse((await docwright(['collections', 'update', 'Everything', '--wait', '--json'])).stdout).status).toBe(
    'ready',
  );
  expect((await docwright(['collections', 'stop', 'Everything'])).code).toBe(1);
  expect(await docwright(['collections', 'delete', 'Everything', '--json'])).toMatchObject({ code: 0 });
  expect((await docwright(['collections', 'wait', 'Everything'])).code).toBe(4);
});

test.each([
  [2, ['setup'], /Name either a source/],
  [2, ['setup', 'x', '--conversation', 'y'], /Name either a source/],
  [2, ['setup', 'x', '--json'], /--message/],
  [4, ['setup', 'nope', '-m', 'x'], /docwright sources/],
  [4, ['search', 'nope', 'x'], /docwright collections/],
  [4, ['setup', '--conversation', '0123456789abcdef01234567', '--apply', 'x'], /conversation/],
  [4, ['sources', 'delete', 'nope'], /docwright sources/],
] as const)('%i for %j', async (code, args, says) => {
  const end = await docwright([...args]);
  expect(end).toMatchObject({ code, stdout: end.stdout.startsWith('{') ? end.stdout : '' });
  expect(end.stderr).toMatch(says);
});
