import {
  DomainError,
  type Document,
  type Extraction,
  type LlmModel,
  type Prompt,
  type Schema,
  type Tag,
} from '@docwright/contract';
import type { DocumentAgentServices } from '../document-agent/context/services.ts';
import type { CallOrigin } from '../tool/tool.ts';
import {
  latest,
  defined,
  inUse,
  linkedIn,
  missingIn,
  findOrThrow,
  noEvaluations,
  page,
  promptAfter,
  textsOf,
  unreviewed,
  useOf,
  asReleased,
  withField,
  withNewest,
} from './in-memory-arrays.ts';
import { inMemorySplitting } from './in-memory-splitting.ts';
import { formatErrors } from './simple-format-check.ts';

/** The data of the in-memory organization, which tests read and change. Revisions are in the order of writing. */
interface InMemoryStore {
  schemas: Schema[];
  prompts: Prompt[];
  tags: Tag[];
  documents: Document[];
  pages: Map<string, { page_num: number; text: string }[]>;
  extractions: Extraction[];
  models: LlmModel[];
  /** Conversations on the one document. */
  threads: { id: string; title: string }[];
  /** The result of `extractions.run`. */
  extracted: unknown;
  /** Call ids of the writes that were applied, in order. */
  written: string[];
}

export interface InMemoryDocumentServices extends DocumentAgentServices {
  readonly store: InMemoryStore;
}

const [at, person] = ['2026-01-01T00:00:00.000Z', 'f'.repeat(24)] as const;

/** Services over arrays that follow the ports: not found, in use, stale version, one write for each call id. */
export function createInMemoryDocumentServices({
  pages: texts = ['Invoice INV-1042\nTotal   1,250.00'],
  ...options
}: { documentName?: string; pages?: string[] } = {}): InMemoryDocumentServices {
  let count = 0;
  const nextId = () => (count += 1).toString(16).padStart(24, '0');
  const document: Document = {
    id: nextId(),
    document_name: options.documentName ?? 'invoice.pdf',
    mime_type: 'application/pdf',
    page_count: texts.length,
    size_bytes: 1000,
    state: 'ocr_completed',
    tag_ids: [],
    metadata: {},
    upload_date: at,
    uploaded_by: person,
  };
  const store: InMemoryStore = {
    schemas: [],
    prompts: [],
    tags: [],
    documents: [document],
    pages: new Map([[document.id, texts.map((text, index) => ({ page_num: index + 1, text }))]]),
    extractions: [],
    threads: [],
    models: [{ id: 'demo-rules-1', provider: 'default', chat_agent: true, default: true }],
    extracted: { total: '1,250.00' },
    written: [],
  };

  const results = new Map<string, unknown>();
  /** Runs a write once for each call id. */
  async function once<Result>({ call_id }: CallOrigin, write: () => Result): Promise<Result> {
    if (!results.has(call_id)) {
      results.set(call_id, write());
      store.written.push(call_id);
    }
    return structuredClone(results.get(call_id)) as Result;
  }

  /** Ids of deleted objects. They are not listed, but their revisions stay readable. */
  const deleted = new Set<string>();
  const schemas = () => latest(store.schemas, 'schema_id').filter((schema) => !deleted.has(schema.schema_id));
  const prompts = () => latest(store.prompts, 'prompt_id').filter((prompt) => !deleted.has(prompt.prompt_id));
  const currentSchema = (id: string) => findOrThrow(schemas(), (schema) => schema.schema_id === id, 'schema');
  const currentPrompt = (id: string) => findOrThrow(prompts(), (prompt) => prompt.prompt_id === id, 'prompt');
  const oneTag = (id: string) => findOrThrow(store.tags, (tag) => tag.tag_id === id, 'tag');
  const oneDocument = (id: string) => findOrThrow(store.documents, (entry) => entry.id === id, 'document');
  const linkedSchema = linkedIn(store);

  return {
    store,
    document: { id: document.id, name: document.document_name },
    schemas: {
      get: async (revid) => findOrThrow(store.schemas, (schema) => schema.schema_revid === revid, 'schema'),
      getCurrent: async (id) => currentSchema(id),
      list: async (query) => page('schemas', schemas(), (schema) => schema.name, query),
      use: async (id) => useOf(currentSchema(id), prompts(), store),
      create: (body, origin) =>
        once(origin, () => {
          const made = {
            ...body,
            schema_id: nextId(),
            schema_revid: nextId(),
            schema_version: 1,
            created_at: at,
            created_by: person,
          };
          store.schemas.push(made);
          return made;
        }),
      update: (id, body, origin) =>
        once(origin, () => {
          const former = currentSchema(id);
          const made = {
            ...former,
            ...defined(body),
            schema_revid: nextId(),
            schema_version: former.schema_version + 1,
          } as Schema;
          store.schemas.push(made);
          return made;
        }),
      delete: (id, origin) =>
        once(origin, () => {
          currentSchema(id);
          if (prompts().some((prompt) => prompt.schema_id === id)) throw inUse('schema');
          deleted.add(id);
        }),
      checkFormat: (format) => {
        const errors = formatErrors(format);
        return { valid: errors.length === 0, errors };
      },
      checkData: async (revid, data) => {
        const errors = missingIn(
          findOrThrow(store.schemas, (entry) => entry.schema_revid === revid, 'schema'),
          data,
        );
        return { valid: errors.length === 0, errors };
      },
    },
    prompts: {
      get: async (revid) =>
        withNewest(
          findOrThrow(store.prompts, (prompt) => prompt.prompt_revid === revid, 'prompt'),
          schemas(),
        ),
      getCurrent: async (id) => currentPrompt(id),
      defaultFor: async () => prompts().at(-1),
      list: async (query) => {
        const tagIds = query.document_id ? oneDocument(query.document_id).tag_ids : query.tag_ids;
        const reviewed = prompts().filter(({ review }) => review === query.review);
        const matching = reviewed.filter((prompt) => !tagIds || prompt.tag_ids.some((id) => tagIds.includes(id)));
        return page('prompts', matching, (prompt) => prompt.name, query);
      },
      create: (body, origin) =>
        once(origin, () => {
          const { schema_id, schema_version, tag_ids, ...rest } = defined(body);
          const made = {
            ...rest,
            ...linkedSchema(schema_id, schema_version),
            tag_ids: tag_ids ?? [],
            prompt_id: nextId(),
            prompt_revid: nextId(),
            prompt_version: 1,
            created_at: at,
            created_by: person,
          } as Prompt;
          store.prompts.push(made);
          return made;
        }),
      update: (id, body, origin) =>
        once(origin, () => {
          const former = currentPrompt(id);
          const made = {
            ...promptAfter(former, body),
            ...linkedSchema(body.schema_id, body.schema_version),
            prompt_revid: nextId(),
            prompt_version: former.prompt_version + 1,
          } as Prompt;
          store.prompts.push(made);
          return made;
        }),
      delete: (id, origin) =>
        once(origin, () => {
          currentPrompt(id);
          deleted.add(id);
        }),
    },
    tags: {
      get: async (id) => oneTag(id),
      list: async (query) => page('tags', store.tags, (tag) => tag.name, query),
      create: (body, origin) =>
        once(origin, () => {
          if (store.tags.some((tag) => tag.name === body.name)) {
            throw new DomainError('conflict', 'name_taken', `A tag named "${body.name}" is there already.`);
          }
          const made = {
            color: '#808080',
            description: '',
            ...defined(body),
            tag_id: nextId(),
            created_at: at,
            created_by: person,
          } as Tag;
          store.tags.push(made);
          return made;
        }),
      update: (id, body, origin) => once(origin, () => Object.assign(oneTag(id), defined(body))),
      delete: (id, origin) =>
        once(origin, () => {
          oneTag(id);
          if (store.documents.some((entry) => entry.tag_ids.includes(id))) throw inUse('tag');
          store.tags = store.tags.filter((tag) => tag.tag_id !== id);
        }),
    },
    documents: {
      get: async (id) => oneDocument(id),
      list: async (query) => {
        const matching = store.documents.filter((entry) =>
          (query.tag_ids ?? []).every((id) => entry.tag_ids.includes(id)),
        );
        return page('documents', matching, (entry) => entry.document_name, query);
      },
      ...textsOf(store.pages, oneDocument),
      delete: (id, origin) =>
        once(origin, () => {
          oneDocument(id);
          store.documents = store.documents.filter((entry) => entry.id !== id);
          return undefined;
        }),
      ...inMemorySplitting(store, oneDocument, once, nextId),
    },
    extractions: {
      list: async (id, { skip, limit }) => {
        const found = store.extractions.filter((entry) => entry.document_id === id);
        return { extractions: found.slice(skip, skip + limit), total_count: found.length, skip, limit };
      },
      latest: async (id, revid) =>
        store.extractions.findLast(
          (entry) => entry.document_id === id && (revid === undefined || entry.prompt_revid === revid),
        ),
      estimate: async () => ({ requests: 1, pages: 1, spu_estimated: 1 }),
      run: (id, revid, origin, _signal, replace = 'unreviewed') =>
        once(origin, () => {
          const prompt =
            revid === undefined
              ? prompts().at(-1)
              : findOrThrow(store.prompts, (entry) => entry.prompt_revid === revid, 'prompt');
          if (!prompt) throw new DomainError('invalid', 'no_prompt', 'No prompt applies to this document. Make one.');
          const isSame = (one: Extraction) => one.document_id === id && one.prompt_revid === prompt.prompt_revid;
          const present = store.extractions.findLast(isSame);
          if ((present?.is_verified && replace !== 'verified') || (present?.is_edited && replace === 'unreviewed')) {
            throw new DomainError('conflict', 'result_verified', 'A person has reviewed the present result.');
          }
          const made: Extraction = {
            document_id: id,
            prompt_revid: prompt.prompt_revid,
            prompt_id: prompt.prompt_id,
            schema_revid: prompt.schema_revid,
            version: 1,
            release: { state: 'open', version: 1 },
            result: structuredClone(store.extracted),
            original_result: structuredClone(store.extracted),
            ...unreviewed,
            grounding: { total: { page_num: 1, quote: '1,250.00', boxes: [], match: 'exact' } },
            validation_errors: [],
            model: 'demo-rules-1',
            usage: { prompt_tokens: 10, completion_tokens: 5, spu: 1, estimated: false },
            created_at: at,
          };
          store.extractions.push(made);
          return made;
        }),
      updateField: (id, revid, change, origin) =>
        once(origin, () => withField(store.extractions, { id, revid }, change)),
      release: (id, revid, { version }, origin) =>
        once(origin, () => asReleased(store.extractions, { id, revid }, { version, released_at: at })),
    },
    evaluations: noEvaluations,
    models: { list: async () => store.models },
    threads: { list: async (_, query) => page('threads', store.threads, (thread) => thread.title, query) },
  };
}
