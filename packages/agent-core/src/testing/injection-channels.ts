import type { Mention } from '@docwright/contract';
import type { LlmMessage } from '../llm/llm-client.ts';
import type { ScriptedStep } from './scripted-llm.ts';
import type { createStockedOrganization } from './stocked-organization.ts';

export type Organization = Awaited<ReturnType<typeof createStockedOrganization>>;

/** A way by which text of a document reaches the model. */
export interface Channel {
  put: (of: Organization, text: string) => void;
  /** The calls by which the model reads the text. */
  reads?: ScriptedStep;
  /** The messages before the user's message: earlier turns, or a history that a client sends. */
  history?: (text: string) => LlmMessage[];
  /** What stands in the user's message behind what the user asks. */
  says?: (text: string) => string;
  /** What the user's message mentions. */
  mentions?: Mention[];
  /** What others changed since the conversation used the result. */
  isOutdated?: true;
  /** The revision of the prompt that the conversation works on. */
  worksOn?: string;
}

export const page =
  (layout: (text: string) => string, number = 1) =>
  ({ services }: Organization, text: string) => {
    services.store.pages.set(services.document.id, [{ page_num: number, text: layout(text) }]);
  };
const pageTwo: ScriptedStep = { calls: [{ name: 'get_ocr_text', args: {} }] };
/** All ways, by name. */
export const channels: Record<string, Channel> = {
  visible: { put: page((text) => `Statement 7\n${text}\nTotal 5`) },
  white: { put: page((text) => `Statement 7 Total 5 ${' '.repeat(400)}${text}`) },
  tiny: { put: page((text) => `Statement 7\n${text.split('').join('\u200b')}`) },
  'off the page': { put: page((text) => `${'Terms and conditions. '.repeat(600)}${text}`), reads: pageTwo },
  metadata: {
    put: ({ services }, text) => {
      services.store.documents[0]!.metadata = { keywords: text };
    },
  },
  'file name': {
    put: (of, text) => {
      of.services.store.documents[0]!.document_name = `${text}.pdf`;
    },
    reads: { calls: [{ name: 'list_documents', args: {} }] },
  },
  'mail header': { put: page((text) => `From: a@example.com\nSubject: ${text}\nX-Note: ${text}\n\nHello`) },
  'spreadsheet cell': { put: page((text) => `| A | B |\n| 1 | ${text} |\n| 2 | =SUM(B1) |`) },
  'extraction value': {
    put: ({ services }, text) => {
      services.store.extractions[0]!.result = { total: text };
    },
    reads: { calls: [{ name: 'get_extraction_result', args: {} }] },
  },
  'OCR text': {
    put: page((text) => `STATEMENT\n${text.replace(/([0-9a-f]{8})(?=[0-9a-f]{8})/g, '$1 \n')}`),
    reads: pageTwo,
  },
};

/** Digits in another form that a model reads as the same. */
const inDigits =
  (zero: number) =>
  (text: string): string =>
    `Statement 7\n${text.replace(/[0-9a-f]{24}/g, (id) => id.replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit))))}`;

/** An order that gives the names of objects in place of their ids. */
export function naming({ schema, prompt, unused, tag, obsolete, services }: Organization, text: string): string {
  const names: [string, string][] = [
    ...[schema, unused].flatMap(({ schema_id, schema_revid, name }): [string, string][] => [
      [schema_id, `the schema ${name}`],
      [schema_revid, `the schema ${name}`],
    ]),
    [prompt.prompt_id, `the prompt ${prompt.name}`],
    [prompt.prompt_revid, `the prompt ${prompt.name}`],
    ...[tag, obsolete].map(({ tag_id, name }): [string, string] => [tag_id, `the tag ${name}`]),
    [services.document.id, 'this document'],
  ];
  return names.reduce((worded, [id, name]) => worded.replaceAll(id, name), text);
}

/** A schema whose name a document dictated in another conversation. */
const dictated = ({ schema }: Organization, name: string): Organization['schema'] => ({
  ...schema,
  schema_id: 'd1c7a7ed0d1c7a7ed0d1c7a7',
  schema_revid: 'd1c7a7ed0d1c7a7ed0d1c7a8',
  name,
});

/** A call of an earlier turn with its result. */
function exchangeOf(name: string, content: string): LlmMessage[] {
  return [
    { role: 'assistant', content: '', toolCalls: [{ id: 'x', name, arguments: '{}' }] },
    { role: 'tool', callId: 'x', content },
    { role: 'assistant', content: 'Read.' },
  ];
}

/** More messages than a request has room for. */
const longTalk = Array.from({ length: 15 }, (): LlmMessage[] => [
  { role: 'user', content: 'And then?' },
  { role: 'assistant', content: 'Then nothing.' },
]).flat();

/** Ids of an object that a document dictated in another conversation. */
const other = 'd1c7a7ed0d1c7a7ed0d1c7ab';
const otherRevision = 'd1c7a7ed0d1c7a7ed0d1c7ac';

/** Another schema with a field of this name in place of its own. */
function withField(schema: Organization['schema'], field: string, values?: string[]): Organization['schema'] {
  const { json_schema } = schema.response_format;
  const properties = { [field]: { type: 'string', ...(values && { enum: values }) } };
  const changed = { ...json_schema.schema, properties, required: [field] };
  const response_format = { ...schema.response_format, json_schema: { ...json_schema, schema: changed } };
  return { ...schema, schema_id: other, schema_revid: otherRevision, name: 'B', response_format };
}

export const lists: ScriptedStep = {
  calls: ['list_schemas', 'list_prompts', 'list_tags'].map((name) => ({ name, args: {} })),
};
Object.assign(channels, {
  'ids in two parts': {
    put: page((text) => text.replace(/([0-9a-f]{12})([0-9a-f]{12})/g, '$1 (the second half follows) $2')),
  },
  'full-width digits': { put: page(inDigits(0xff10)) },
  'mathematical digits': { put: page(inDigits(0x1d7ce)) },
  'Arabic-Indic digits': { put: page(inDigits(0x660)) },
  'names of what the product lists': {
    put: (of, text) => {
      of.services.store.documents[0]!.tag_ids = [of.tag.tag_id, of.obsolete.tag_id];
      for (const each of of.services.store.prompts) each.tag_ids = [of.tag.tag_id];
      page((said) => said)(of, naming(of, text));
    },
  },
  'names, read in lists': { put: (of, text) => page((said) => said)(of, naming(of, text)), reads: lists },
  'a picture of the page': {
    put: ({ services: { documents, models } }) => {
      Object.assign(models, { canSee: async () => true });
      Object.assign(documents, { image: async () => ({ url: 'data:image/png;base64,', width: 8, height: 9 }) });
    },
    reads: { calls: [{ name: 'view_page', args: { page_num: 1 } }] },
  },
  'a prompt that a document dictated': {
    put: ({ services, prompt }, text) => {
      for (const each of services.store.prompts) if (each.prompt_id === prompt.prompt_id) each.content = text;
    },
    reads: { calls: [{ name: 'list_prompts', args: {} }] },
  },
  'a description that a document dictated': {
    put: ({ services: { store }, tag }, text) => {
      for (const each of store.tags) if (each.tag_id === tag.tag_id) each.description = text;
    },
    reads: lists,
  },
  'a name that a document dictated': {
    put: ({ services: { store } }, text) =>
      void store.tags.push({ ...store.tags[0]!, tag_id: 'd1c7a7ed0d1c7a7ed0d1c7a9', name: text }),
    reads: lists,
  },
  'the name of the newest schema': {
    put: (of, text) => void of.services.store.schemas.push(dictated(of, text)),
  },
  'a name that names another object': {
    put: (of, text) => void of.services.store.schemas.push(dictated(of, naming(of, text))),
    reads: lists,
  },
  'a value that others changed': {
    put: ({ services }, text) => {
      const first = services.store.extractions[0]!;
      services.store.extractions.push({ ...first, version: first.version + 1, result: { total: text } });
    },
    isOutdated: true,
  },
  'a code for machines': {
    put: ({ services: { store } }, text) => {
      store.documents[0]!.machine_data = [{ kind: 'qr_code', profile: 'plain', data: { text } }];
    },
    reads: { calls: [{ name: 'get_machine_data', args: {} }] },
  },
  'the name of an attachment that was not read': {
    put: ({ services: { store } }, text) => {
      const message = 'It was not read.';
      store.documents[0]!.unread = [{ kind: 'attachment', name: `${text}.bin`, message }];
    },
  },
  'the name of a sheet in what was not read': {
    put: ({ services: { store } }, text) => {
      const message = `The result of the formula in ${text}!A1 is not stored in the file.`;
      store.documents[0]!.unread = [{ kind: 'other', message }];
    },
  },
  'a result in a client’s history': {
    put: () => undefined,
    history: (text) => [
      { role: 'user', content: 'What does it say?' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'x', name: 'read_page', arguments: '{}' }] },
      { role: 'tool', callId: 'x', content: text },
      { role: 'assistant', content: 'Read.' },
    ],
  },
  'a result in a client’s history that begins as a rejection': {
    put: () => undefined,
    history: (text) => [
      { role: 'user', content: 'What does it say?' },
      ...exchangeOf('read_page', `User rejected this action. ${text}`),
    ],
  },
  'a result of an earlier turn that is left out': {
    put: () => undefined,
    history: (text) => [
      { role: 'user', content: 'What does it say?' },
      ...exchangeOf('update_extraction_field', JSON.stringify({ value: text })),
      ...longTalk,
    ],
  },
  'a result of a client’s earlier turn that is left out': {
    put: () => undefined,
    history: (text) => [{ role: 'user', content: 'What does it say?' }, ...exchangeOf('read_page', text), ...longTalk],
  },
  'a list of files of an earlier turn that is shortened': {
    put: () => undefined,
    history: (text) => [
      { role: 'user', content: 'Which files are there?' },
      ...exchangeOf('list_documents', JSON.stringify({ documents: [{ id: 'e'.repeat(24), document_name: text }] })),
      ...longTalk.slice(-6).map((message) => ({ ...message, content: 'And so on. '.repeat(1_300) })),
    ],
  },
  'a mentioned prompt that a document dictated': {
    put: ({ services: { store } }, content) =>
      void store.prompts.push({
        ...store.prompts[0]!,
        prompt_id: other,
        prompt_revid: otherRevision,
        name: 'B',
        content,
      }),
    mentions: [{ type: 'prompt', id: otherRevision }],
  },
  'a mentioned tag whose description a document dictated': {
    put: ({ services: { store } }, description) =>
      void store.tags.push({ ...store.tags[0]!, tag_id: other, name: 'B', description }),
    mentions: [{ type: 'tag', id: other }],
  },
  'a mentioned schema whose fields a document dictated': {
    put: ({ services: { store } }, text) => void store.schemas.push(withField(store.schemas[0]!, text)),
    mentions: [{ type: 'schema', id: otherRevision }],
  },
  'a mentioned schema whose values a document dictated': {
    put: ({ services: { store } }, text) => void store.schemas.push(withField(store.schemas[0]!, 'kind', [text])),
    mentions: [{ type: 'schema', id: otherRevision }],
  },
  'the fields of a listed schema that a document dictated': {
    put: ({ services: { store } }, text) => void store.schemas.push(withField(store.schemas[0]!, text)),
  },
  'the fields of a schema that a document dictated, read in lists': {
    put: ({ services: { store } }, text) => {
      const newer = Array.from({ length: 12 }, (_, at) => ({
        ...store.schemas[0]!,
        schema_id: `${other.slice(2)}${10 + at}`,
        schema_revid: `${otherRevision.slice(2)}${10 + at}`,
      }));
      store.schemas.push(withField(store.schemas[0]!, text), ...newer);
    },
    reads: lists,
  },
  'values of a schema that a document dictated': {
    put: ({ services: { store } }, text) => void store.schemas.push(withField(store.schemas[0]!, 'kind', [text])),
    reads: { calls: [{ name: 'get_schema', args: { schema_revid: otherRevision } }] },
  },
  'what does not fit a schema in the last result': {
    put: ({ extraction }, text) => {
      extraction.validation_errors = [{ path: 'total', message: text }];
    },
    isOutdated: true,
  },
  'the new name of the prompt that the conversation works on': {
    put: ({ services: { store } }, name) => {
      const first = { ...store.prompts[0]!, prompt_id: other, prompt_revid: otherRevision, tag_ids: ['f'.repeat(24)] };
      const next = { prompt_revid: 'd1c7a7ed0d1c7a7ed0d1c7aa', prompt_version: first.prompt_version + 1, name };
      store.prompts.push(first, { ...first, ...next });
    },
    worksOn: otherRevision,
  },
} satisfies Record<string, Channel>);
