import { describe, expect, it } from 'vitest';
import { createInMemoryDocumentServices } from '../../../testing/in-memory-document-services.ts';
import { documentAgentTools } from '../index.ts';
import { differenceBetween } from '../../../tool/baseline.ts';
import { createToolBench } from '../../../testing/tool-bench.ts';

async function benchWithPrompt() {
  const bench = createToolBench();
  await bench.run('create_prompt', { name: 'Header', content: 'Take the total.' });
  return bench;
}

describe('extraction tools', () => {
  it('extract with the prompt of the working state, and correct a value with its place', async () => {
    const bench = await benchWithPrompt();
    await bench.run('create_prompt', { name: 'Later', content: 'Something else.' });
    const { prompt_revid } = bench.services.store.prompts[0]!;
    bench.state = { ...bench.state, prompt_revid };

    expect(await bench.run('run_extraction')).toMatchObject({
      prompt_revid,
      version: 1,
      result: { total: '1,250.00' },
      is_current: true,
    });
    const change = { path: 'total', value: '1,300.00' };
    expect(await bench.preview('update_extraction_field', change)).toEqual({
      kind: 'field',
      path: 'total',
      old_value: '1,250.00',
      new_value: '1,300.00',
      page_num: 1,
      boxes: [],
    });
    expect(await bench.run('update_extraction_field', change)).toMatchObject({ version: 2, value: '1,300.00' });
    expect(bench.state.extraction).toMatchObject({ result: { total: '1,300.00' }, version: 2 });
    expect(bench.state.extraction).not.toHaveProperty('grounding');
  });

  it('refuse to correct a result that others have changed, until the agent reads it again', async () => {
    const bench = await benchWithPrompt();
    await bench.run('run_extraction');
    bench.services.store.extractions[0]!.version = 7;
    const change = { path: 'total', value: '1' };
    await expect(bench.run('update_extraction_field', change)).rejects.toThrow(/changed since/u);
    await bench.run('get_extraction_result');
    expect(await bench.run('update_extraction_field', change)).toMatchObject({ version: 8 });
  });

  it('replace a reviewed result only with approval, and preview the edited values', async () => {
    const bench = await benchWithPrompt();
    await bench.run('run_extraction');
    expect(await bench.preview('run_extraction', {})).toBeUndefined();
    await bench.run('update_extraction_field', { path: 'total', value: '7' });
    expect(await bench.preview('run_extraction', {})).toEqual({
      kind: 'replace',
      version: 2,
      is_verified: false,
      is_edited: true,
      value_count: 1,
      edited_count: 1,
      edited_values: [{ path: 'total', original_value: '1,250.00', edited_value: '7' }],
    });
    await expect(bench.run('run_extraction', { replace: 'verified' })).rejects.toThrow(/reviewed/u);
    bench.services.store.extractions.at(-1)!.is_verified = true;
    await expect(bench.run('run_extraction', { replace: 'edited' }, { isApproved: true })).rejects.toThrow(/reviewed/u);
    expect(await bench.run('run_extraction', {}, { isApproved: true })).toEqual(
      expect.not.objectContaining({ is_edited: true }),
    );
  });

  it('preview the cost of a long document, also together with edited values', async () => {
    const bench = await benchWithPrompt();
    bench.services.extractions.estimate = async () => ({ requests: 7, pages: 90, spu_estimated: 240 });
    const message = 'The 90 pages take 7 requests to the model, about 240 SPU.';
    expect(await bench.preview('run_extraction', {})).toEqual({ kind: 'cost', message, requests: 7 });
    await bench.run('run_extraction');
    await bench.run('update_extraction_field', { path: 'total', value: '7' });
    expect(await bench.preview('run_extraction', {})).toMatchObject({ kind: 'replace', cost: message });
  });

  it('preview the cost of reading a short document twice', async () => {
    const bench = await benchWithPrompt();
    for (const prompt of bench.services.store.prompts) prompt.second_read = true;
    bench.services.extractions.estimate = async () => ({ requests: 2, pages: 1, spu_estimated: 4 });
    expect(await bench.preview('run_extraction', {})).toEqual({
      kind: 'cost',
      message:
        'The prompt reads the document twice, at twice the cost, and marks what differs. That is 2 requests to the model, about 4 SPU.',
    });
  });

  it('fail with an explanation if the document has no extraction', async () => {
    await expect(createToolBench().run('get_extraction_result')).rejects.toThrow(/no extraction yet/u);
  });
});

describe('document tools', () => {
  it('read a long document in parts', async () => {
    const pages = ['a'.repeat(20_000), 'b'.repeat(20_000), 'short'];
    const bench = createToolBench(createInMemoryDocumentServices({ pages }));
    expect(await bench.run('get_ocr_text')).toMatchObject({
      page_count: 3,
      pages: [{ page_num: 1 }],
      next_page_num: 2,
    });
    expect(await bench.run('get_ocr_text', { page_num: 3 })).toEqual({
      page_count: 3,
      pages: [{ page_num: 3, text: 'short' }],
    });
    await expect(bench.run('get_ocr_text', { page_num: 4 })).rejects.toThrow(/has 3 pages/u);
  });

  it('fail with the reason if the document has no text', async () => {
    const services = createInMemoryDocumentServices({ pages: [] });
    Object.assign(services.store.documents[0]!, {
      page_count: null,
      state: 'ocr_failed',
      state_error: { code: 'password_required', message: 'The PDF is encrypted.' },
    });
    await expect(createToolBench(services).run('get_ocr_text')).rejects.toThrow(/ocr_failed: The PDF is encrypted/u);
  });

  it('delete this document, and preview its dependents', async () => {
    const bench = await benchWithPrompt();
    await bench.run('run_extraction');
    expect(await bench.preview('delete_document', {})).toMatchObject({
      kind: 'delete',
      name: 'invoice.pdf',
      dependents: [{ kind: 'extraction' }],
    });
    await bench.run('delete_document');
    expect(bench.services.store.documents).toEqual([]);
    expect(bench.state.extraction).toBeNull();
  });
});

it('refuses a call that can only fail before a user is asked about it', async () => {
  const bench = await benchWithPrompt();
  await bench.run('run_extraction');
  const [extraction] = bench.services.store.extractions;
  Object.assign(extraction!, {
    schema_revid: 'a'.repeat(24),
    validation_errors: [{ path: 'date', message: 'is odd' }],
  });
  bench.services.schemas.checkData = async (_revid, data) => {
    const { total, ...others } = data as Record<string, unknown>;
    const errors = [{ path: 'date', message: 'is odd' }];
    if (typeof total !== 'number') errors.push({ path: 'total', message: 'must be number' });
    if (Object.keys(others).length > 0) errors.push({ path: '', message: 'has no such property' });
    return { valid: false, errors };
  };
  const check = (name: string, args: object) => {
    const tool = documentAgentTools.get(name)!;
    const workingState = {
      get: () => ({ schema_revid: null, prompt_revid: null, extraction: null }),
      update: () => {},
    };
    const context = {
      services: bench.services,
      workingState,
      origin: { call_id: 'c' },
      signal: new AbortController().signal,
    };
    return tool.check!(context, tool.parameters.parse(args));
  };
  const set = (path: string, value: unknown) => check('update_extraction_field', { path, value });
  await expect(set('total', '110,00 €')).rejects.toThrow(/total must be number/);
  await expect(set('other', 1)).rejects.toThrow(/no such property|must be number/);
  await expect(set('seller.name', 'x')).rejects.toThrow(/no field "seller.name"/);
  await set('total', 110);
  await set('total', '12345678901234567890');
  await expect(set('total', '1e400')).rejects.toThrow(/total must be number/);
  await expect(check('run_extraction', { prompt_revid: 'f'.repeat(24) })).rejects.toThrow(/does not exist/);
  await check('run_extraction', {});
});

it('a deletion of a document is out of date once one of its results was changed or verified', async () => {
  const bench = await benchWithPrompt();
  await bench.run('run_extraction');
  const before = await bench.baseline('delete_document');
  expect(differenceBetween(before, await bench.baseline('delete_document'))).toBeUndefined();
  bench.services.store.extractions[0]!.is_verified = true;
  const difference = differenceBetween(before, await bench.baseline('delete_document'));
  expect(difference).toMatch(/verified was no and is yes/u);
  const { extractions } = bench.services.store;
  extractions[0]!.is_verified = false;
  extractions.push({ ...extractions[0]!, prompt_revid: 'e'.repeat(24) });
  expect(differenceBetween(before, await bench.baseline('delete_document'))).toMatch(/results was 1 and is 2/u);
});
