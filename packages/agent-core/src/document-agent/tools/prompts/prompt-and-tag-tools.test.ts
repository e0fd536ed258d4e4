import { describe, expect, it } from 'vitest';
import { createToolBench } from '../../../testing/tool-bench.ts';

const receiptSchema = {
  type: 'object',
  properties: { total: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
};
const receiptFormat = { type: 'json_schema', json_schema: { name: 'receipt', strict: true, schema: receiptSchema } };

describe('prompt and tag tools', () => {
  it('link a prompt to documents by a tag', async () => {
    const bench = createToolBench();
    const { tag_id } = (await bench.run('create_tag', { name: 'invoice' })) as { tag_id: string };
    const made = (await bench.run('create_prompt', {
      name: 'Header',
      content: 'Take the total.',
      tag_ids: [tag_id],
    })) as { prompt_id: string; prompt_revid: string };
    expect(bench.state.prompt_revid).toBe(made.prompt_revid);

    const document_id = bench.services.document.id;
    expect(await bench.run('list_prompts', { document_id })).toMatchObject({ prompts: [], total_count: 0 });
    expect(await bench.run('update_document', { add_tag_ids: [tag_id] })).toMatchObject({ tag_ids: [tag_id] });
    expect(await bench.run('update_document', { remove_tag_ids: [tag_id] })).toMatchObject({ tag_ids: [] });
    expect(await bench.run('update_document', { add_tag_ids: [tag_id] })).toMatchObject({ tag_ids: [tag_id] });
    expect(await bench.run('list_prompts', { document_id })).toMatchObject({
      prompts: [{ prompt_id: made.prompt_id, tag_ids: [tag_id] }],
    });
    expect(await bench.run('list_documents', { tag_ids: [tag_id] })).toMatchObject({
      documents: [{ id: document_id }],
    });

    expect(await bench.preview('delete_tag', { tag_id })).toMatchObject({
      name: 'invoice',
      dependents: [{ kind: 'document' }, { kind: 'prompt', name: 'Header' }],
    });
    await expect(bench.run('delete_tag', { tag_id })).rejects.toThrow(/in use/u);
  });

  it('preview an update, and leave other fields unchanged', async () => {
    const bench = createToolBench();
    const made = (await bench.run('create_prompt', { name: 'Header', content: 'Take the total.' })) as {
      prompt_id: string;
    };
    const change = { prompt_id: made.prompt_id, content: 'Take the date.' };
    expect(await bench.preview('update_prompt', change)).toMatchObject({
      before: expect.stringContaining('Take the total.'),
      after: 'Model: default\nSchema: none\nTags: none\n\nTake the date.',
    });
    expect(await bench.run('update_prompt', change)).toMatchObject({ prompt_version: 2, name: 'Header' });
    await bench.run('delete_prompt', { prompt_id: made.prompt_id });
    expect(bench.state.prompt_revid).toBeNull();
  });

  it('change tags and metadata by adding and removing, so that what somebody else has given since it was read stays', async () => {
    const bench = createToolBench();
    const tagged = async (name: string) => ((await bench.run('create_tag', { name })) as { tag_id: string }).tag_id;
    const [former, own, theirs] = [await tagged('former'), await tagged('own'), await tagged('theirs')];
    const { prompt_id } = (await bench.run('create_prompt', { name: 'P', content: 'Read.', tag_ids: [former] })) as {
      prompt_id: string;
    };
    // Somebody else, after the model has read both.
    const [document] = bench.services.store.documents;
    Object.assign(document!, { tag_ids: [former, theirs], metadata: { paid: 'no', approved_by: 'Ada' } });
    await bench.services.prompts.update(prompt_id, { add_tag_ids: [theirs] }, { call_id: 'theirs' });

    const change = { add_tag_ids: [own], remove_tag_ids: [former] };
    const metadata = { set_metadata: { total: '5' }, remove_metadata: ['paid'] };
    expect(await bench.preview('update_document', { ...change, ...metadata })).toMatchObject({
      after: expect.stringMatching(
        /Tags: theirs.*, own.*\nMetadata: \{\n {2}"approved_by": "Ada",\n {2}"total": "5"\n\}$/u,
      ),
    });
    expect(await bench.run('update_document', { ...change, ...metadata })).toMatchObject({
      tag_ids: [theirs, own],
      metadata: { approved_by: 'Ada', total: '5' },
    });
    await bench.run('update_prompt', { prompt_id, ...change });
    expect(await bench.services.prompts.getCurrent(prompt_id)).toMatchObject({ tag_ids: [theirs, own] });
  });

  it('ask before a whole list takes away what stands there, also what somebody else has added', async () => {
    const bench = createToolBench();
    const tagged = async (name: string) => ((await bench.run('create_tag', { name })) as { tag_id: string }).tag_id;
    const [own, theirs] = [await tagged('own'), await tagged('theirs')];
    const tag_ids = [theirs];
    const { prompt_id } = (await bench.run('create_prompt', { name: 'P', content: 'Read.', tag_ids })) as {
      prompt_id: string;
    };
    Object.assign(bench.services.store.documents[0]!, { tag_ids, metadata: { approved_by: 'Ada' } });

    const { needsRuleOn } = bench;
    expect(await needsRuleOn('update_document', { tag_ids: [own] })).toBe('tag_ids');
    expect(await needsRuleOn('update_document', { metadata: { total: '5' } })).toBe('metadata');
    expect(await needsRuleOn('update_document', { tag_ids: [theirs], metadata: {} })).toBe('tag_ids and metadata');
    expect(await needsRuleOn('update_prompt', { prompt_id, tag_ids: [own] })).toBe('tag_ids');
    expect(await needsRuleOn('update_document', { tag_ids: [theirs, own] })).toBeUndefined();
    expect(await needsRuleOn('update_document', { metadata: { approved_by: 'Eve' } })).toBeUndefined();
    expect(await needsRuleOn('update_prompt', { prompt_id, remove_tag_ids: [theirs] })).toBeUndefined();

    expect(await bench.run('update_document', { tag_ids: [own], metadata: { total: '5' } })).toMatchObject({
      tag_ids: [own],
      metadata: { total: '5' },
    });
    await bench.run('update_prompt', { prompt_id, tag_ids: [own] });
    expect(await bench.services.prompts.getCurrent(prompt_id)).toMatchObject({ tag_ids: [own] });
  });

  it('preview an existing tag with the same name', async () => {
    const bench = createToolBench();
    const made = (await bench.run('create_tag', { name: 'invoice', color: '#112233' })) as { tag_id: string };
    expect(await bench.preview('create_tag', { name: 'Invoice' })).toMatchObject({
      collides_with: [{ id: made.tag_id, name: 'invoice' }],
    });
    expect(await bench.preview('update_tag', { tag_id: made.tag_id, color: '#445566' })).toMatchObject({
      before: expect.stringContaining('#112233'),
      after: expect.stringContaining('#445566'),
    });
    await bench.run('delete_tag', { tag_id: made.tag_id });
    expect(await bench.run('list_tags')).toMatchObject({ total_count: 0 });
  });
});

it('links a prompt to the schema that was created before it, and says so', async () => {
  const bench = createToolBench();
  const made = (await bench.run('create_schema', { name: 'Receipt', response_format: receiptFormat })) as {
    schema_id: string;
  };
  const linked = (await bench.run('create_prompt', { name: 'Receipts', content: 'Read.' })) as { prompt_revid: string };
  expect(linked).toMatchObject({ linked_schema: expect.stringContaining('Receipt') });
  expect(await bench.services.prompts.get(linked.prompt_revid)).toMatchObject({ schema_id: made.schema_id });
  // A second one gets no schema, because that one has its prompt; the result says it.
  const free = await bench.run('create_prompt', { name: 'Free', content: 'Read.' });
  expect(free).toMatchObject({ linked_schema: expect.stringMatching(/^none.*update_prompt/u) });
  // A schema that the call names needs no word.
  const named = await bench.run('create_prompt', { name: 'Named', content: 'Read.', schema_id: made.schema_id });
  expect(named).not.toHaveProperty('linked_schema');
});

it('says that an extraction did not use the schema that was created before it, because no prompt uses it', async () => {
  const bench = createToolBench();
  await bench.run('create_prompt', { name: 'Header', content: 'Take the total.' });
  const made = (await bench.run('create_schema', { name: 'Receipt', response_format: receiptFormat })) as {
    schema_id: string;
  };
  expect(await bench.run('run_extraction')).toMatchObject({
    schema_not_used: expect.stringMatching(new RegExp(`“Receipt”.*${made.schema_id}`, 'u')),
  });
  await bench.run('create_prompt', { name: 'Receipts', content: 'Read.' });
  const linked = await bench.run('run_extraction');
  expect(linked).toMatchObject({ prompt_revid: bench.state.prompt_revid });
  expect(linked).not.toHaveProperty('schema_not_used');
});

it('says why what it created has another name than the call gave it', async () => {
  const bench = createToolBench();
  const { schemas, prompts } = bench.services;
  const plainly = { schemas: { ...schemas }, prompts: { ...prompts } };
  schemas.create = (body, origin) => plainly.schemas.create({ ...body, name: 'Receipt 2' }, origin);
  prompts.create = (body, origin) => plainly.prompts.create({ ...body, name: 'Receipt 2' }, origin);
  const named = { name: 'Receipt, Contoso' };
  const renamed = expect.stringMatching(/“Receipt 2” instead of “Receipt, Contoso”.*issuer.*once/u);
  expect(await bench.run('create_schema', { ...named, response_format: receiptFormat })).toMatchObject({ renamed });
  expect(await bench.run('create_prompt', { ...named, content: 'Read.' })).toMatchObject({ renamed });
  const plain = await bench.run('create_prompt', { name: 'Receipt 2', content: 'Read.' });
  expect(plain).not.toHaveProperty('renamed');
});
