import type { DocumentAgentServices, Locale } from '@docwright/agent-core';
import { DomainError, type Document } from '@docwright/contract';
import type { DocumentService, StoredPageText, SplitService } from '../documents/index.ts';
import { type ExtractionService, estimateOf } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import type { ModelService } from '../llm/index.ts';
import type { WriteContext } from '../../turn-writes/write-origin.ts';
import type { ReleaseService } from '../release/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { SchemaService } from '../schemas/index.ts';
import type { TagService } from '../tags/index.ts';
import { markedList } from '../../platform/database/marked-cursors.ts';

/** The services of the API that the agent's tools use. */
export interface ArtifactServices {
  schemas: (actor: Actor) => SchemaService;
  schemaUse: (actor: Actor) => DocumentAgentServices['schemas']['use'];
  prompts: (actor: Actor) => PromptService;
  tags: (actor: Actor) => TagService;
  documents: (actor: Actor) => DocumentService;
  splitting: (actor: Actor) => SplitService;
  extractions: (actor: Actor) => ExtractionService;
  releases: (actor: Actor) => Pick<ReleaseService, 'release'>;
  agentEvaluations: (actor: Actor) => DocumentAgentServices['evaluations'];
  models: (organizationId: string) => ModelService;
  localeOf: (organizationId: string) => Promise<Locale>;
}

/** A page for the agent, with the way it was read and the reason why it is empty. */
function agentPage({ page_num, text, read_by, ocr_confidence, ocr_error, unread }: StoredPageText) {
  return { page_num, text, read_by, confidence: ocr_confidence, why_empty: ocr_error?.message, unread };
}

/**
 * The services of the agent for one user and one document: the same services as over HTTP, with the same rights. Created
 * schemas and prompts store the document they were made on, unless the calls do not concern it, and `for_review`.
 */
export function documentAgentServicesFor(
  services: ArtifactServices,
  actor: Actor,
  { id, document_name }: Pick<Document, 'id' | 'document_name'>,
  threads: DocumentAgentServices['threads'],
  { areOfDocument = true, for_review, ...source }: WriteContext & { areOfDocument?: boolean } = {},
): DocumentAgentServices {
  const review = for_review === undefined ? {} : { for_review };
  const schemas = services.schemas(actor);
  const prompts = services.prompts(actor);
  const tags = services.tags(actor);
  const documents = services.documents(actor);
  const listDocuments = markedList('list_documents', (query: Parameters<DocumentService['list']>[0]) =>
    documents.list(query),
  );
  const splitting = services.splitting(actor);
  const extractions = services.extractions(actor);
  const releases = services.releases(actor);
  /** Whether this conversation must not see other documents that are kept from models: only a local model reads its own. */
  const hidesKept = async () => id === '' || (await documents.get(id)).never_to_model !== true;
  const isKept = async (documentId: string) =>
    documentId !== id && (await documents.get(documentId)).never_to_model === true && (await hidesKept());
  async function seen(documentId: string): Promise<void> {
    if (await isKept(documentId)) {
      throw new DomainError('conflict', 'never_to_model', 'No model may see this document. Work on another one.');
    }
  }
  type Origin = { call_id: string };
  const by = (origin: Origin) => ({ ...origin, ...source, user_id: actor.userId });
  const from = (origin: Origin) => (areOfDocument ? { ...by(origin), document_id: id } : by(origin));
  return {
    document: { id, name: document_name },
    conversation: { isReadOnly: actor.role === 'viewer' },
    locale: () => services.localeOf(actor.organizationId),
    schemas: {
      ...schemas,
      list: markedList('list_schemas', (query: Parameters<SchemaService['list']>[0]) => schemas.list(query)),
      use: services.schemaUse(actor),
      create: (body, origin) => schemas.create(body, { ...from(origin), ...review }),
      update: (schema_id, body, origin) => schemas.update(schema_id, body, from(origin)),
      delete: (schema_id, origin) => schemas.delete(schema_id, by(origin)),
    },
    prompts: {
      ...prompts,
      list: markedList('list_prompts', (query: Parameters<PromptService['list']>[0]) => prompts.list(query)),
      create: (body, origin) => prompts.create(body, { ...from(origin), ...review }),
      update: (prompt_id, body, origin) => prompts.update(prompt_id, body, from(origin)),
      delete: (prompt_id, origin) => prompts.delete(prompt_id, by(origin)),
    },
    tags: {
      ...tags,
      list: markedList('list_tags', (query: Parameters<TagService['list']>[0]) => tags.list(query)),
      create: (body, origin) => tags.create(body, by(origin)),
      update: (tag_id, body, origin) => tags.update(tag_id, body, by(origin)),
      delete: (tag_id, origin) => tags.delete(tag_id, by(origin)),
    },
    documents: {
      async get(document_id) {
        await seen(document_id);
        return await documents.get(document_id);
      },
      async list(query) {
        const listed = await listDocuments(query);
        if (!listed.documents.some(({ never_to_model }) => never_to_model) || !(await hidesKept())) return listed;
        return { ...listed, documents: listed.documents.filter(({ never_to_model }) => never_to_model !== true) };
      },
      async text(document_id, page_num) {
        await seen(document_id);
        return (await documents.texts(document_id, page_num)).map(agentPage);
      },
      async *eachText(document_id) {
        await seen(document_id);
        for await (const page of documents.eachText(document_id)) yield agentPage(page);
      },
      async image(document_id, page_num, region) {
        await seen(document_id);
        return await documents.image(document_id, page_num, region);
      },
      update: (document_id, change, origin) => documents.update(document_id, change, by(origin)),
      delete: (document_id, origin) => documents.delete(document_id, by(origin)),
      async proposeSplit(document_id) {
        await seen(document_id);
        return await splitting.propose(document_id);
      },
      split: (document_id, parts, origin) => splitting.split(document_id, parts, by(origin)),
    },
    extractions: {
      ...extractions,
      async list(document_id, page) {
        await seen(document_id);
        return await extractions.list(document_id, page);
      },
      async latest(document_id, prompt_revid) {
        await seen(document_id);
        return await extractions.latest(document_id, prompt_revid);
      },
      async estimate(document_id, prompt_revid) {
        const { survey, requestCharacters, reads } = await extractions.plan(document_id, prompt_revid);
        return estimateOf(survey, requestCharacters, reads);
      },
      run: (document_id, prompt_revid, origin, signal, replace) =>
        extractions.run(document_id, prompt_revid, by(origin), signal, replace),
      async updateField(document_id, prompt_revid, change, origin) {
        await seen(document_id);
        return await extractions.updateField(document_id, prompt_revid, change, by(origin));
      },
      async release(document_id, prompt_revid, body, origin) {
        await seen(document_id);
        return await releases.release(document_id, prompt_revid, body, by(origin));
      },
    },
    evaluations: services.agentEvaluations(actor),
    threads,
    models: {
      list: () => services.models(actor.organizationId).list({ chat_only: true }),
      canSee: (model) => services.models(actor.organizationId).acceptsImages(model),
    },
  };
}
