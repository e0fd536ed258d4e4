import {
  DomainError,
  type Extraction,
  type Prompt,
  type Schema,
  type SchemaUse,
  type updatePromptBody,
} from '@docwright/contract';
import type { z } from 'zod';
import type { AgentEvaluations } from '../document-agent/context/services.ts';
import { changedTags } from '../document-agent/tools/shared/changes.ts';

/** The last matching entry. Throws a DomainError of kind `not_found` if there is none. */
export function findOrThrow<Item>(items: readonly Item[], matches: (item: Item) => boolean, what: string): Item {
  const found = items.findLast(matches);
  if (!found) throw new DomainError('not_found', `${what}_not_found`, `This ${what} does not exist.`);
  return found;
}

/** The last revision of each object, given revisions in the order of writing. */
export function latest<Item extends object>(revisions: readonly Item[], idKey: keyof Item): Item[] {
  return [...new Map(revisions.map((revision) => [revision[idKey], revision])).values()];
}

export function page<Plural extends string, Item>(
  plural: Plural,
  items: readonly Item[],
  nameOf: (item: Item) => string,
  query: { skip: number; limit: number; name_search?: string | undefined },
) {
  const search = query.name_search?.toLowerCase() ?? '';
  const matching = items.filter((item) => nameOf(item).toLowerCase().includes(search));
  const { skip, limit } = query;
  return { [plural]: matching.slice(skip, skip + limit), total_count: matching.length, skip, limit } as Record<
    Plural,
    Item[]
  > & { total_count: number; skip: number; limit: number };
}

/** A body without its undefined fields. */
export function defined<Body extends object>(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Body;
}

export function inUse(what: string): DomainError {
  return new DomainError('invalid', `${what}_in_use`, `This ${what} is in use. Take it off what uses it first.`);
}

/** A prompt after a change of its own fields. */
export function promptAfter(
  former: Prompt,
  { add_tag_ids, remove_tag_ids, ...body }: z.infer<typeof updatePromptBody>,
) {
  const tag_ids = changedTags(body.tag_ids ?? former.tag_ids, { add_tag_ids, remove_tag_ids });
  return { ...former, ...defined(body), tag_ids };
}

/** Evaluations of an organization without verified results. */
export const noEvaluations: AgentEvaluations = {
  ofProposal: async () => undefined,
  size: async () => ({ documents: 0, askAbove: 0 }),
  measure: async () => {
    throw new DomainError('invalid', 'nothing_verified', 'No result of the prompt is verified yet.');
  },
};

/** A prompt that uses an earlier version of its schema says which is the newest. */
export function withNewest(prompt: Prompt, newest: readonly Schema[]): Prompt {
  const version = newest.find(({ schema_id }) => schema_id === prompt.schema_id)?.schema_version;
  const isOld = version !== undefined && (prompt.schema_version ?? version) < version;
  return { ...prompt, ...(isOld && { newest_schema_version: version }) };
}

/** Returns a function that pins a schema's newest or given version; nothing for a prompt without a schema. */
export function linkedIn(store: { schemas: Schema[] }) {
  return (schema_id: string | null | undefined, version?: number) => {
    if (!schema_id) return {};
    const isLinked = (schema: Schema) =>
      schema.schema_id === schema_id && (version === undefined || schema.schema_version === version);
    const linked = findOrThrow(store.schemas, isLinked, 'schema');
    return { schema_id, schema_version: linked.schema_version, schema_revid: linked.schema_revid };
  };
}

/** The required fields of a schema that data lacks. */
export function missingIn({ response_format }: Schema, data: unknown) {
  const { required } = response_format.json_schema.schema;
  const names = Array.isArray(required) ? required.map(String) : [];
  const missing = names.filter((key) => !(typeof data === 'object' && data !== null && key in data));
  return missing.map((key) => ({ path: key, message: 'is required' }));
}

/** The prompts that use a schema, with the number of their documents. */
export function useOf(
  { schema_id, schema_version, schema_revid }: Schema,
  prompts: readonly Prompt[],
  { extractions }: { extractions: readonly Extraction[] },
): SchemaUse {
  const using = prompts.filter((prompt) => prompt.schema_id === schema_id);
  const count = (found: readonly Extraction[]) => new Set(found.map(({ document_id }) => document_id)).size;
  return {
    schema_id,
    schema_version,
    total_count: using.length,
    prompts: using.map(({ prompt_id, prompt_revid, name, schema_version: version = schema_version }) => {
      const own = extractions.filter((extraction) => extraction.prompt_id === prompt_id);
      return {
        prompt_id,
        prompt_revid,
        name,
        schema_version: version,
        documents: count(own),
        documents_on_old_version: count(own.filter((extraction) => extraction.schema_revid !== schema_revid)),
        documents_verified: count(own.filter(({ is_verified }) => is_verified)),
      };
    }),
  };
}

/** Changes one field of the version that the caller saw. */
export function withField(
  extractions: Extraction[],
  { id, revid }: { id: string; revid: string },
  change: { path: string; value?: unknown; base_version: number },
): Extraction {
  const isOwn = (entry: Extraction) => entry.document_id === id && entry.prompt_revid === revid;
  const found = findOrThrow(extractions, isOwn, 'extraction');
  if (found.version !== change.base_version) {
    throw new DomainError('conflict', 'stale_version', 'The extraction has changed since.');
  }
  found.result = { ...(found.result as object), [change.path]: change.value };
  found.version += 1;
  found.is_edited = true;
  return found;
}

/** Releases an extraction. */
export function asReleased(
  extractions: Extraction[],
  { id, revid }: { id: string; revid: string },
  released: { version: number; released_at: string },
): Extraction {
  const isOwn = (entry: Extraction) => entry.document_id === id && entry.prompt_revid === revid;
  const found = findOrThrow(extractions, isOwn, 'extraction');
  found.release = { state: 'released', by: 'user', ...released };
  return found;
}

/** The review fields of an unreviewed extraction. */
export const unreviewed = { is_edited: false, is_verified: false, issues: [], is_complete: true };

type Texts = ReadonlyMap<string, { page_num: number; text: string }[]>;

/** The texts of documents. `requireDocument` throws for an unknown id. */
export function textsOf(pages: Texts, requireDocument: (id: string) => unknown) {
  return {
    async text(id: string, page_num?: number) {
      requireDocument(id);
      return (pages.get(id) ?? []).filter((entry) => page_num === undefined || entry.page_num === page_num);
    },
    async *eachText(id: string) {
      requireDocument(id);
      yield* pages.get(id) ?? [];
    },
  };
}
