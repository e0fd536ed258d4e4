import type { RecordedStep } from './recorded.ts';

const text = { type: ['string', 'null'] };
const schemaOf = (properties: Record<string, unknown>) => ({
  type: 'json_schema',
  json_schema: {
    name: 'delivery_note',
    strict: true,
    schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  },
});
const first = schemaOf({ number: text, date: text });
const second = schemaOf({ number: text, date: text, weight: { type: ['number', 'null'] } });
const tools = [{ function: { name: 'get_ocr_text' } }];
const page = '<page number="1">\nDelivery note LN-7\nDate 2026-03-01\nWeight 12.5 kg\n</page>';
const system = { role: 'system', content: page };
const user = (content: string) => ({ role: 'user', content });
const result = (value: unknown) => [
  { role: 'assistant', content: '' },
  { role: 'tool', content: JSON.stringify(value) },
];
const [schema_id, prompt_id] = ['1'.repeat(24), '2'.repeat(24)];

/** A small built-in conversation: a schema for a delivery note and its extraction, then another field. */
export const ownStory: RecordedStep[] = [
  {
    request: { tools, messages: [system, user('create a schema for this delivery note and extract it')] },
    answer: { text: '', tool_calls: [{ name: 'help_schemas', arguments: {} }] },
  },
  {
    request: { tools, messages: [system, user('…'), ...result({ guidance: '…' })] },
    answer: { tool_calls: [{ name: 'create_schema', arguments: { name: 'Delivery note', response_format: first } }] },
  },
  {
    request: { tools, messages: [system, user('…'), ...result({ schema_id, schema_revid: '3'.repeat(24) })] },
    answer: {
      tool_calls: [
        { name: 'create_prompt', arguments: { name: 'Delivery note', content: 'Read the note.', schema_id } },
      ],
    },
  },
  {
    request: { tools, messages: [system, user('…'), ...result({ prompt_id, prompt_revid: '4'.repeat(24) })] },
    answer: { tool_calls: [{ name: 'run_extraction', arguments: {} }] },
  },
  { request: { messages: [] }, answer: { text: '{"number":"LN-7","date":"2026-03-01"}' } },
  {
    request: { tools, messages: [system, user('…'), ...result({ result: {} })] },
    answer: { text: 'The note LN-7 is of 1 March 2026.' },
  },
  {
    request: { tools, messages: [system, user('add the weight')] },
    answer: { tool_calls: [{ name: 'update_schema', arguments: { schema_id, response_format: second } }] },
  },
  {
    request: { tools, messages: [system, user('…'), ...result({ schema_id, schema_revid: '5'.repeat(24) })] },
    answer: {
      tool_calls: [
        { name: 'update_prompt', arguments: { prompt_id, schema_id } },
        { name: 'run_extraction', arguments: {} },
      ],
    },
  },
  { request: { messages: [] }, answer: { text: '{"number":"LN-7","date":"2026-03-01","weight":12.5}' } },
  {
    request: { tools, messages: [system, user('…'), ...result({ prompt_id }), ...result({ result: {} })] },
    answer: { text: 'It weighs 12.5 kg.' },
  },
];
