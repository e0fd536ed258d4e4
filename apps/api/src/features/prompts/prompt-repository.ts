import { DomainError, maxPromptTags, type MappedField, type updatePromptBody } from '@docwright/contract';
import type { Connection } from 'mongoose';
import type { z } from 'zod';
import {
  createRevisionRepositories,
  type Revision,
  type RevisionRepository,
  type ReviewFilter,
} from '../revisions/index.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';

/** The content of a prompt's revision. The schema is pinned to one of its revisions. */
export interface PromptContent {
  content: string;
  schema_id?: string;
  schema_version?: number;
  schema_revid?: string;
  model?: string;
  /** Verified results shown to the model; absent for none. */
  examples?: { count: number };
  /** The model cites the words of each value. */
  evidence?: true;
  second_read?: true;
  second_model?: string;
  /** Fields that are compared with the data for machines; absent for none. */
  machine_map?: MappedField[];
  tag_ids: string[];
}

interface PromptQuery extends PageSelection {
  name_search?: string | undefined;
  /** Only prompts with all of these tags. */
  tag_ids?: string[] | undefined;
  /** Only prompts with at least one of these tags: those that apply to a document with these tags. */
  any_tag_ids?: string[] | undefined;
  schema_id?: string | undefined;
  /** Only prompts that an agent created while it worked on the document. */
  origin_document_id?: string | undefined;
  /** Default: `reviewed`, without prompts pending review. */
  review?: ReviewFilter | undefined;
}

export interface PromptRepository extends Omit<RevisionRepository<PromptContent>, 'list'> {
  list(query: PromptQuery): Promise<{ revisions: Revision<PromptContent>[] } & PageEnd>;
}

/** The values that lists of prompts filter by. */
export function promptFacets({ schema_id, tag_ids }: PromptContent): Record<string, unknown> {
  return { schema_id: schema_id ?? null, tag_ids };
}

/** Tags say where a prompt applies, and change no result: they belong to the prompt, not to its revisions. */
export const sharedPromptKeys = ['tag_ids'] as const;

/** The prompts of each organization. */
export function createPromptRepositories(connection: Connection): (organizationId: string) => PromptRepository {
  const repositoriesOf = createRevisionRepositories<PromptContent>(
    connection,
    'prompt',
    promptFacets,
    sharedPromptKeys,
  );
  return (organizationId) => {
    const repository = repositoriesOf(organizationId);
    return { ...repository, list: (query) => repository.list({ ...query, where: whereOf(query) }) };
  };
}

/** Returns a function that checks whether a prompt exists. */
export function createPromptCheck(
  connection: Connection,
): (organizationId: string, promptId: string) => Promise<boolean> {
  const promptsOf = createPromptRepositories(connection);
  return async (organizationId, promptId) => (await promptsOf(organizationId).getCurrent(promptId)) !== undefined;
}

/** Ids are stored in lower case. */
const lowerCase = (id: string) => id.toLowerCase();

function whereOf(query: PromptQuery): Record<string, unknown> {
  const { tag_ids, any_tag_ids, schema_id, origin_document_id } = query;
  const tags = {
    ...(tag_ids && tag_ids.length > 0 ? { $all: tag_ids.map(lowerCase) } : {}),
    ...(any_tag_ids ? { $in: any_tag_ids } : {}),
  };
  return {
    ...(Object.keys(tags).length > 0 ? { 'facets.tag_ids': tags } : {}),
    ...(schema_id === undefined ? {} : { 'facets.schema_id': lowerCase(schema_id) }),
    ...(origin_document_id === undefined ? {} : { origin_document_id: lowerCase(origin_document_id) }),
  };
}

/** The tags after the change. Throws `prompt_too_full`. */
export function changedTags(present: readonly string[], body: z.infer<typeof updatePromptBody>): string[] {
  const lower = (ids: readonly string[] = []) => ids.map((id) => id.toLowerCase());
  const removed = new Set(lower(body.remove_tag_ids));
  const all = new Set([...lower(body.tag_ids ?? present), ...lower(body.add_tag_ids)]);
  const tags = [...all].filter((id) => !removed.has(id));
  if (tags.length <= maxPromptTags || tags.length <= present.length) return tags;
  const message = `A prompt can have ${maxPromptTags} tags. Remove some in the same request.`;
  throw new DomainError('conflict', 'prompt_too_full', message);
}
