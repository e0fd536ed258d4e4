import { describe, expect, it } from 'vitest';
import { englishInvoice } from '../testing/sample-pages.ts';
import { playTurn, type ScriptedTool } from '../testing/scripted-turn.ts';

const schemaRevid = 'a'.repeat(24);
const promptRevid = 'b'.repeat(24);
const schemaId = 'e'.repeat(24);
const billing = '1'.repeat(24);
const urgent = '2'.repeat(24);

const text = { type: ['string', 'null'] };
const number = { type: ['number', 'null'] };
const items = {
  type: 'object',
  properties: { description: text, amount: number },
  required: ['description', 'amount'],
  additionalProperties: false,
};
const properties = {
  invoice_number: text,
  vat_id: text,
  total: number,
  due_date: text,
  line_items: { type: 'array', items },
};
const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
const result = {
  invoice_number: 'HM-1',
  vat_id: null,
  total: 5,
  due_date: '2025-03-05',
  line_items: [
    { description: 'a', amount: 1 },
    { description: 'b', amount: 2 },
  ],
};
const state = {
  schema_revid: schemaRevid,
  prompt_revid: promptRevid,
  extraction: { prompt_revid: promptRevid, schema_revid: schemaRevid, version: 1, result },
};

const tools: Record<string, ScriptedTool> = {
  get_schema: () => ({
    schema_id: schemaId,
    name: 'Invoice',
    response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } },
  }),
  update_schema: () => ({ schema_id: schemaId, schema_revid: 'c'.repeat(24), schema_version: 2, name: 'Invoice' }),
  get_prompt: () => ({ prompt_id: '3'.repeat(24), schema_id: schemaId, name: 'Invoice', content: 'Read it.' }),
  update_prompt: () => ({ prompt_id: '3'.repeat(24), prompt_revid: 'f'.repeat(24) }),
  run_extraction: () => ({ result: { total: 5 } }),
  list_schemas: () => ({
    schemas: [
      { schema_id: schemaId, schema_revid: schemaRevid, name: 'Invoice', schema_version: 1 },
      { schema_id: '9'.repeat(24), schema_revid: '8'.repeat(24), name: 'Letter', schema_version: 3 },
    ],
    total_count: 2,
  }),
  list_tags: () => ({ tags: [{ tag_id: billing, name: 'billing' }], total_count: 1 }),
  list_documents: () => ({
    documents: [{ id: 'd'.repeat(24), document_name: 'march.pdf', tag_ids: [urgent], state: 'ocr_completed' }],
    total_count: 1,
  }),
  create_tag: () => ({ tag_id: '7'.repeat(24), name: 'x' }),
};

function play(request: string, more: Record<string, ScriptedTool> = {}) {
  return playTurn({ request, page: englishInvoice, state, tools: { ...tools, ...more } });
}

function fieldsAfter(request: string): string[] {
  const update = play(request).calls.find(({ name }) => name === 'update_schema')?.arguments;
  const format = update?.response_format as { json_schema: { schema: { properties: object; required: string[] } } };
  const { required } = format.json_schema.schema;
  expect(required).toEqual(Object.keys(format.json_schema.schema.properties));
  return required;
}

describe('editing the schema', () => {
  it('reads, changes, links the prompt to the new version and extracts with its new revision', () => {
    const turn = play('add a field order date');
    expect(turn.names).toEqual(['get_schema', 'update_schema', 'get_prompt', 'update_prompt', 'run_extraction']);
    expect(turn.calls.at(-1)?.arguments).toEqual({ prompt_revid: 'f'.repeat(24) });
  });

  it('does not link a prompt that the user has moved with the change', () => {
    const moved = { prompt_id: '3'.repeat(24), prompt_revid: 'a'.repeat(24) };
    const turn = play('add a field order date', { update_schema: () => ({ relinked_prompts: [moved] }) });
    expect(turn.names).toEqual(['get_schema', 'update_schema', 'get_prompt', 'run_extraction']);
    expect(turn.calls.at(-1)?.arguments).toEqual({ prompt_revid: moved.prompt_revid });
  });

  it.each([
    [
      'Please add PO number and currency',
      ['invoice_number', 'vat_id', 'total', 'due_date', 'line_items', 'po_number', 'currency'],
    ],
    ['drop the VAT id', ['invoice_number', 'total', 'due_date', 'line_items']],
    ['remove line items from the schema', ['invoice_number', 'vat_id', 'total', 'due_date']],
    ['rename total to amount_due', ['invoice_number', 'vat_id', 'amount_due', 'due_date', 'line_items']],
    [
      'add currency, rename total to grand total, and remove the vat id and due date',
      ['invoice_number', 'grand_total', 'line_items', 'currency'],
    ],
    [
      'füge ein Feld Bestelldatum hinzu',
      ['invoice_number', 'vat_id', 'total', 'due_date', 'line_items', 'bestelldatum'],
    ],
  ])('%s', (request, expected) => {
    expect(fieldsAfter(request)).toEqual(expected);
  });

  it('adds a column to the rows when the request says so', () => {
    const update = play('add unit price to the line items').calls.find(
      ({ name }) => name === 'update_schema',
    )?.arguments;
    expect(update).toMatchObject({
      response_format: {
        json_schema: {
          schema: {
            properties: {
              line_items: {
                items: { properties: { unit_price: number }, required: ['description', 'amount', 'unit_price'] },
              },
            },
          },
        },
      },
    });
  });

  it('changes nothing when the field does not exist, and lists the fields', () => {
    const turn = play('drop the weight');
    expect(turn.names).toEqual(['get_schema']);
    expect(turn.text).toContain('due_date');
  });

  it('asks which of several schemas is meant when the conversation has none yet', () => {
    const ask_questions: ScriptedTool = () => ({
      answers: [{ question_id: 'which', chosen: [{ option_id: 'option_1', label: 'Letter' }] }],
    });
    const turn = playTurn({
      request: 'add a field order date',
      page: englishInvoice,
      tools: { ...tools, ask_questions },
    });
    expect(turn.names.slice(0, 3)).toEqual(['list_schemas', 'ask_questions', 'get_schema']);
    expect(turn.calls[2]?.arguments).toEqual({ schema_revid: '8'.repeat(24) });
  });
});

describe('correcting values', () => {
  it.each([
    ['set the total to 12.50', 'total', 12.5],
    ['change the total to 1,250.00', 'total', 1250],
    ['the invoice number is INV-9', 'invoice_number', 'INV-9'],
    ['No, the total should be 99', 'total', 99],
    ['set the due date to 5 April 2025', 'due_date', '2025-04-05'],
    ['clear the due date', 'due_date', null],
    ['set the amount in line 2 to 7', 'line_items.1.amount', 7],
    ['update the description of the first row to Site visit', 'line_items.0.description', 'Site visit'],
    ['change the amount in the last row to 8', 'line_items.1.amount', 8],
    ['I think the total is wrong, it should be 77', 'total', 77],
    ['remove the second line item', 'line_items', [{ description: 'a', amount: 1 }]],
  ])('%s', (request, path, value) => {
    expect(play(request).calls.at(-1)).toEqual({ name: 'update_extraction_field', arguments: { path, value } });
  });

  it('corrects several values with one call each', () => {
    const turn = play('set the total to 7 and the vat id to GB1');
    expect(turn.calls.slice(1).map(({ arguments: args }) => args)).toEqual([
      { path: 'total', value: 7 },
      { path: 'vat_id', value: 'GB1' },
    ]);
  });

  it('asks for the right value when the user only names a wrong one', () => {
    expect(play('the total is wrong').text).toContain('What should it be?');
  });

  it('refuses a value of another type', () => {
    const turn = play('set the total to many');
    expect(turn.names).not.toContain('update_extraction_field');
    expect(turn.text).toContain('`total` does not accept “many”');
  });
});

describe('other requests', () => {
  it.each([
    ['list schemas', ['list_schemas']],
    ['which tags do we have?', ['list_tags']],
    ['show the text of page 2', ['get_ocr_text']],
    ['show the schema', ['get_schema']],
    ['create a red tag called urgent', ['create_tag']],
    ['tag this document with billing', ['list_tags', 'update_document']],
    ['delete the tag billing', ['list_tags', 'delete_tag']],
    ['rename the tag billing to invoices', ['list_tags', 'update_tag']],
    ['rename this document to april.pdf', ['update_document']],
    ['delete this document', ['delete_document']],
    ['delete the schema Letter', ['list_schemas', 'delete_schema']],
    ['rename the schema to Supplier invoice', ['get_schema', 'update_schema']],
    ['run the extraction again', ['run_extraction']],
    ['extract with the schema Letter', ['list_schemas', 'get_schema', 'create_prompt', 'run_extraction']],
    ['is the extraction valid?', ['validate_against_schema']],
    ['change the prompt to: Read all values with great care', ['get_prompt', 'update_prompt', 'run_extraction']],
  ])('%s', (request, names) => {
    expect(play(request).names).toEqual(names);
  });

  it('lists several kinds in one step', () => {
    const turn = play('list schemas and tags');
    expect(turn.names).toEqual(['list_schemas', 'list_tags']);
    expect(turn.text).toContain('Letter (version 3)');
    expect(turn.text).toContain('billing');
  });

  it('keeps the other tags of a document when it adds one', () => {
    expect(play('tag this document with billing').calls.at(-1)?.arguments).toEqual({ add_tag_ids: [billing] });
  });

  it('answers from the extraction, otherwise from the page with its line', () => {
    expect(play('what is the total?').text).toBe('**total**: 5 (from the extraction).');
    expect(play('who is the buyer?').text).toContain('On page 1 it says: “Northgate Surveying LLP”');
    expect(play('how many line items are there?').text).toContain('2 line items');
    expect(play('what is the warranty period?').text).toContain('I find no “warranty period”');
  });

  it('introduces itself, and admits that it did not understand', () => {
    expect(play('hello').text).toContain('not a language model');
    expect(play('write a poem about invoices').text).toContain('I did not understand that.');
  });

  it('acknowledges a rejection and does not repeat the call', () => {
    const turn = play('delete this document', { delete_document: () => 'User rejected this action. Reason: keep it' });
    expect(turn.names).toEqual(['delete_document']);
    expect(turn.text).toContain('keep it');
  });
});
