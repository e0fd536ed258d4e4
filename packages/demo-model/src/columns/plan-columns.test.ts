import { describe, expect, it } from 'vitest';
import { answerRequest } from '../answer/answer-request.ts';
import type { Answer } from '../protocol/answer.ts';
import { chatRequest } from '../protocol/chat-request.ts';

const offered = [
  'add_column',
  'edit_column',
  'remove_column',
  'update_project_description',
  'set_multi_row_mode',
  'set_feature_flags',
  'ask_questions',
  'request_example_image',
  'get_current_schema',
  'get_project_settings',
  'get_feature_flags',
  'analyze_document',
];
const columns = [
  { id: 'c1', name: 'Total', type: 'currency', description: '', allowedValues: '', regex: '' },
  { id: 'c2', name: 'Invoice number', type: 'text', description: '', allowedValues: '', regex: '' },
];

/** The next answer in a schema chat. Each round is an answer with the results of its calls. */
function ask(request: string, rounds: [Answer, unknown[]][] = [], known: object[] = columns, more = ''): Answer {
  const messages = [
    { role: 'system', content: `You are the schema designer.\n\nCurrent columns:\n${JSON.stringify(known)}${more}` },
    { role: 'user', content: request },
    ...rounds.flatMap(([answer, results], round) => [
      {
        role: 'assistant',
        content: answer.text,
        tool_calls: answer.calls.map((call, at) => ({
          id: `call_${round}_${at}`,
          type: 'function',
          function: { name: call.name, arguments: JSON.stringify(call.arguments) },
        })),
      },
      ...results.map((result, at) => ({
        role: 'tool',
        tool_call_id: `call_${round}_${at}`,
        content: typeof result === 'string' ? result : JSON.stringify(result),
      })),
    ]),
  ];
  const tools = offered.map((name) => ({ type: 'function', function: { name } }));
  return answerRequest(chatRequest.parse({ model: 'demo-rules-1', messages, tools }));
}
const callsOf = ({ calls }: Answer) => calls.map(({ name, arguments: args }) => [name, args]);
const update = (columnId: string, updates: object) => ['edit_column', { columnId, updates }];

describe('designing columns', () => {
  it('proposes the usual columns of a kind of documents, without tables and existing columns', () => {
    const { calls } = ask('I need to extract invoice data');
    const types = new Map(calls.map(({ arguments: args }) => [args['name'], args['type']]));
    expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(['add_column']));
    expect([types.get('Invoice date'), types.get('Amount due'), types.get('Seller name')]).toEqual([
      'date',
      'currency',
      'text',
    ]);
    expect([types.has('Total'), types.has('Invoice number'), types.has('Line items')]).toEqual([false, false, false]);
  });

  it('changes columns of a list, by the name of the list or of a column', () => {
    const sku = { ...columns[1], id: 'l1', name: 'SKU' };
    const more = `\n\nThe list "line_items", columns of its rows:\n${JSON.stringify([sku])}`;
    const toList = (request: string) => callsOf(ask(request, [], columns, more));
    expect(toList('add unit and weight to line items')).toMatchObject([
      ['add_column', { name: 'Unit', table: 'line_items' }],
      ['add_column', { name: 'Weight', table: 'line_items' }],
    ]);
    expect(toList('add price to the list line items')).toMatchObject([
      ['add_column', { name: 'Price', table: 'line_items' }],
    ]);
    expect(toList('rename SKU to article')).toEqual([update('l1', { name: 'article' })]);
    expect(toList('add customer')[0]?.[1]).not.toHaveProperty('table');
  });

  it.each<[string, unknown[]]>([
    [
      'add customer number and delivery date',
      [
        ['add_column', { name: 'Customer number', type: 'text' }],
        ['add_column', { name: 'Delivery date', type: 'date' }],
      ],
    ],
    [
      'extract the vendor, the date and the total price from my orders',
      [
        ['add_column', { name: 'Vendor' }],
        ['add_column', { name: 'Date', type: 'date' }],
        ['add_column', { name: 'Total price', type: 'currency' }],
      ],
    ],
    ['rename Total to Amount due', [update('c1', { name: 'Amount due' })]],
    [
      'remove the invoice number and the total',
      [
        ['remove_column', { columnId: 'c2' }],
        ['remove_column', { columnId: 'c1' }],
      ],
    ],
    ['change the type of total to number', [update('c1', { type: 'number' })]],
    ['make the total a number', [update('c1', { type: 'number' })]],
    ['allowed values of invoice number: a, b and c', [update('c2', { allowedValues: 'a, b, c' })]],
    ['turn on multi row mode', [['set_multi_row_mode', { enabled: true }]]],
    ['one row per document', [['set_multi_row_mode', { enabled: false }]]],
    [
      'describe the project as Bills of our suppliers',
      [['update_project_description', { description: 'Bills of our suppliers' }]],
    ],
    ['analyze “march.pdf”', [['analyze_document', { documentName: 'march.pdf' }]]],
    [`look at the document ${'a'.repeat(24)}`, [['analyze_document', { documentId: 'a'.repeat(24) }]]],
    ['shall I show you an example image?', [['request_example_image', {}]]],
    ['show me the columns', [['get_current_schema', {}]]],
  ])('%s', (request, calls) => {
    expect(callsOf(ask(request))).toMatchObject(calls);
  });

  it('asks for the kind of documents, and proposes columns by the answers', () => {
    const asked = ask('build me a schema', [], []);
    expect(callsOf(asked)).toMatchObject([['ask_questions', { questions: [{ id: 'kind' }, { id: 'rows' }] }]]);
    const answers = [
      { question_id: 'kind', option_ids: ['receipt'] },
      { question_id: 'rows', option_ids: ['many'] },
    ];
    const answer = ask('build me a schema', [[asked, [{ answers }]]], []);
    expect(callsOf(answer)).toContainEqual(['add_column', expect.objectContaining({ name: 'Merchant name' })]);
    expect(callsOf(answer).at(-1)).toEqual(['set_multi_row_mode', { enabled: true }]);
  });

  it('proposes columns for the values on a document that it has read', () => {
    const read = ask('analyze “march.pdf”');
    const text =
      '<document name="march.pdf" pages="1">\n<page number="1">\nInvoice\nInvoice number: 7\nTotal: 5.00\nDue date: 2026-01-02\n</page>\n</document>';
    const { calls } = ask('analyze “march.pdf”', [[read, [{ text }]]], []);
    expect(calls.map(({ arguments: args }) => args['name'])).toContain('Due date');
  });

  it('reports the result of each change, and proposes nothing twice', () => {
    const changes = ask('add vendor, due date and note');
    const results = [{ added: { name: 'Vendor' } }, 'User rejected this action.', { error: 'There is one already.' }];
    const { text, calls } = ask('add vendor, due date and note', [[changes, results]]);
    expect(calls).toEqual([]);
    expect(text).toMatch(/Done: add \*\*Vendor\*\*.*declined: add \*\*Due date\*\*.*Note\*\*: There is one already/su);
  });

  it('introduces itself, and reports what it does not understand', () => {
    expect(ask('Hello').text).toContain('not a language model');
    expect(ask('Sing!').text).toContain('I did not understand that');
    expect(ask('rename foo to bar').text).toContain('no column called **foo**');
    expect(ask('The image that was asked for:').text).toContain('cannot see images');
  });
});
