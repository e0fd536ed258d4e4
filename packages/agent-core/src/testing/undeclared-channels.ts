import { DomainError } from '@docwright/contract';
import { page, type Channel, type Organization } from './injection-channels.ts';
import type { ScriptedStep } from './scripted-llm.ts';

/** Ids of an object that a document dictated in another conversation. */
const other = 'd1c7a7ed0d1c7a7ed0d1c7ab';
const otherRevision = 'd1c7a7ed0d1c7a7ed0d1c7ac';

const call = (name: string, args: Record<string, unknown> = {}): ScriptedStep => ({ calls: [{ name, args }] });
const readsResult = call('get_extraction_result');

/** Changes the result of the document. */
const result =
  (change: (text: string) => object) =>
  ({ services: { store } }: Organization, text: string) =>
    void Object.assign(store.extractions[0]!, change(text));

/** Changes the record of the document. */
const document =
  (change: (text: string) => object) =>
  ({ services: { store } }: Organization, text: string) =>
    void Object.assign(store.documents[0]!, change(text));

/** Changes what a measurement of a change says. */
const measurement = (change: (text: string) => object): Channel => ({
  put: ({ services: { evaluations } }, text) => {
    const evaluation = { state: 'done', documents: { done: 1, total: 1 }, totals: {}, fields: [], spu_used: 1 };
    const measured = { evaluation: { ...evaluation, ...change(text) }, differences: [] };
    Object.assign(evaluations, { measure: async () => measured });
  },
  reads: call('evaluate_change', { prompt_id: other, content: 'Read it.' }),
});

/** Another schema whose text a document dictated. */
const schemaRead = (change: (text: string) => object): Channel => ({
  put: ({ services: { store } }, text) => {
    const first = store.schemas[0]!;
    const { json_schema } = first.response_format;
    const changed = { ...json_schema, schema: { ...json_schema.schema, ...change(text) } };
    const response_format = { ...first.response_format, json_schema: changed };
    store.schemas.unshift({ ...first, schema_id: other, schema_revid: otherRevision, name: 'B', response_format });
  },
  reads: call('get_schema', { schema_revid: otherRevision }),
});

const namedTag = ({ services: { store } }: Organization, name: string) =>
  void store.tags.push({ ...store.tags[0]!, tag_id: other, name });
const kind = (change: (text: string) => object) => (text: string) =>
  `\n<kinds>\n${JSON.stringify({ prompt_revid: otherRevision, name: 'B', ...change(text) })}\n</kinds>\nUse it if it fits.`;

/** Ways by which a document's text reaches the model outside of what tools declare as content, and as words of the user. */
export const undeclaredChannels: Record<string, Channel> = {
  'a field of a result': { put: result((text) => ({ result: { rows: [{ [text]: 1 }] } })), reads: readsResult },
  'a field of a result without a place': {
    put: result((text) => ({ grounding: { [text]: { match: 'none' } } })),
    reads: readsResult,
  },
  'an uncertain field of a result': { put: result((text) => ({ uncertain: [text] })), reads: readsResult },
  'a key of metadata': {
    put: document((text) => ({ metadata: { mail: { [text]: 1 } } })),
    reads: call('list_documents'),
  },
  'a key of metadata that no call read': { put: document((text) => ({ metadata: { [text]: 1 } })) },
  'a key of data for machines': {
    put: document((text) => ({ machine_data: [{ kind: 'qr_code', profile: 'plain', data: { [text]: 1 } }] })),
    reads: call('get_machine_data'),
  },
  'a field of a measurement': measurement((text) => ({ fields: [{ field: text }] })),
  'an error of a measurement': measurement((message) => ({ error: { code: 'failed', message } })),
  'an error that quotes': {
    put: ({ services: { schemas } }, text) => {
      schemas.get = async () => {
        throw new DomainError('conflict', 'in_use', `The prompts "${text}" use it. Change them first.`);
      };
    },
    reads: call('get_schema', { schema_revid: otherRevision }),
  },
  'an error that does not quote': {
    put: ({ services: { schemas } }, text) => {
      schemas.get = async () => {
        throw new DomainError('conflict', 'in_use', `The schema is in use: ${text}.`);
      };
    },
    reads: call('get_schema', { schema_revid: otherRevision }),
  },
  'the id of a model': {
    put: ({ services: { store } }, id) => void store.models.push({ ...store.models[0]!, id, default: false }),
    reads: call('list_llm_models'),
  },
  'what does not fit a schema': {
    put: ({ services: { schemas } }, message) => {
      schemas.checkData = async () => ({ valid: false, errors: [{ path: 'total', message }] });
    },
    reads: call('validate_against_schema', { schema_revid: otherRevision, data: {} }),
  },
  'the format of a field of a schema': schemaRead((text) => ({
    properties: { total: { type: 'string', format: text } },
  })),
  'an unknown key of a schema': schemaRead((text) => ({ [text]: 1 })),
  'the key of a pattern of a schema': schemaRead((text) => ({ patternProperties: { [text]: { type: 'string' } } })),
  'the key of a dependency of a schema': schemaRead((text) => ({ dependentRequired: { [text]: ['total'] } })),
  'the map of a prompt': {
    put: ({ services: { store } }, text) =>
      void store.prompts.push({
        ...store.prompts[0]!,
        prompt_id: other,
        prompt_revid: otherRevision,
        name: 'B',
        tag_ids: ['f'.repeat(24)],
        machine_map: [{ field: text, from: 'invoice_xml.totals.grand_total' }],
      }),
    reads: call('get_prompt', { prompt_revid: otherRevision }),
  },
  'why a page has no text': {
    put: (
      {
        services: {
          store,
          document: { id },
        },
      },
      why_empty,
    ) => {
      const empty = { page_num: 1, text: '', why_empty };
      store.pages.set(id, [empty, { page_num: 2, text: 'Statement 7' }]);
    },
  },
  'why a document has no text': {
    put: (of, message) => {
      of.services.store.pages.set(of.services.document.id, []);
      document(() => ({ state: 'ocr_failed', state_error: { code: 'unreadable', message } }))(of, '');
    },
  },
  'the name of a mentioned tag': { put: namedTag, mentions: [{ type: 'tag', id: other }] },
  'the name of a mentioned tag in the message': {
    put: namedTag,
    mentions: [{ type: 'tag', id: other }],
    says: (text) => ` Is it @${text}?`,
  },
  'the name of a kind that an unattended run is offered': {
    put: page(() => 'Statement 7'),
    says: kind((name) => ({ name })),
  },
  'a field of a kind that an unattended run is offered': {
    put: page(() => 'Statement 7'),
    says: kind((text) => ({ fields: [text] })),
  },
};
