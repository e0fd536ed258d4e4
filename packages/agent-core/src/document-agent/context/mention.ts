import type { Mention, Prompt, Schema, Tag } from '@docwright/contract';
import { DomainError } from '@docwright/contract';
import type { KnownObject } from '../../provenance/known-object.ts';
import { defuseFences } from './document-block.ts';
import type { DocumentAgentServices } from './services.ts';

/** A mention with its object, loaded from the organization. */
export type ResolvedMention =
  | { type: 'schema'; id: string; schema: Schema }
  | { type: 'prompt'; id: string; prompt: Prompt; links: PromptNames }
  | { type: 'tag'; id: string; tag: Tag };

/** The names of a prompt's schema and tags; deleted ones are omitted. */
export interface PromptNames {
  readonly schema?: { readonly name: string };
  readonly tags: readonly { readonly tag_id: string; readonly name: string }[];
}

type MentionServices = Pick<DocumentAgentServices, 'schemas' | 'prompts' | 'tags'>;

/**
 * Loads the objects that the user mentioned. Throws a DomainError of kind `invalid` (`unknown_reference`) for a malformed
 * id or an id outside of this organization.
 *
 * @example
 * import { resolveMentions, type DocumentAgentServices } from '@docwright/agent-core';
 *
 * declare const services: DocumentAgentServices;
 * const [mention] = await resolveMentions(services, [{ type: 'tag', id: '64a0c0ffee64a0c0ffee0002' }]);
 */
export async function resolveMentions(
  services: MentionServices,
  mentions: readonly Mention[],
): Promise<ResolvedMention[]> {
  return Promise.all(
    mentions.map(async (mention) => {
      const found = await findMention(services, mention);
      if (!found) throw unknownMention(mention);
      return found;
    }),
  );
}

/** Like `resolveMentions`, without deleted objects: an object can be deleted while a turn is pending. */
export async function findMentions(
  services: MentionServices,
  mentions: readonly Mention[],
): Promise<ResolvedMention[]> {
  const found = await Promise.all(mentions.map((mention) => findMention(services, mention)));
  return found.filter((mention) => mention !== undefined);
}

async function findMention(services: MentionServices, { type, id }: Mention): Promise<ResolvedMention | undefined> {
  if (!/^[0-9a-f]{24}$/iu.test(id)) return undefined;
  try {
    if (type === 'schema') return { type, id, schema: await services.schemas.get(id) };
    if (type === 'prompt') {
      const prompt = await services.prompts.get(id);
      return { type, id, prompt, links: await linksOf(services, prompt) };
    }
    return { type, id, tag: await services.tags.get(id) };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

async function linksOf({ schemas, tags }: MentionServices, prompt: Prompt): Promise<PromptNames> {
  const { schema_revid, tag_ids } = prompt;
  const [schema, ...named] = await Promise.all([
    schema_revid === undefined ? undefined : undefinedIfMissing(schemas.get(schema_revid)),
    ...tag_ids.map((id) => undefinedIfMissing(tags.get(id))),
  ]);
  return {
    ...(schema !== undefined && { schema: { name: schema.name } }),
    tags: named.flatMap((tag) => (tag === undefined ? [] : [{ tag_id: tag.tag_id, name: tag.name }])),
  };
}

async function undefinedIfMissing<Value>(found: Promise<Value>): Promise<Value | undefined> {
  return await found.catch((error: unknown) => {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  });
}

/** The ids and names of a mentioned object. */
export function mentionedObject(mention: ResolvedMention): KnownObject {
  switch (mention.type) {
    case 'schema': {
      const { schema_id, schema_revid, name } = mention.schema;
      return { ids: [schema_id, schema_revid], names: [name] };
    }
    case 'prompt': {
      const { prompt_id, prompt_revid, name } = mention.prompt;
      return { ids: [prompt_id, prompt_revid], names: [name] };
    }
    case 'tag':
      return { ids: [mention.tag.tag_id], names: [mention.tag.name] };
  }
}

function unknownMention({ type, id }: Mention): DomainError {
  const kindOfId = type === 'tag' ? 'the id of a tag' : `the revision id (${type}_revid) of a ${type}`;
  return new DomainError(
    'invalid',
    'unknown_reference',
    `The mentioned ${type} is not in this organization. A mention needs ${kindOfId}.`,
    { type, id: id.slice(0, 100) },
  );
}

/** A mention for the model: a fence around a JSON value of at most `limit` characters. */
export function mentionBlock(mention: ResolvedMention, limit = Infinity): string {
  const content = JSON.stringify(mentionContent(mention));
  const text =
    content.length > limit
      ? `${content.slice(0, limit)}\n[cut: ${content.length - limit} more characters; ${readingTools[mention.type]} reads all of it]`
      : content;
  return `<mention type="${mention.type}" id="${mention.id}">\n${defuseFences(text)}\n</mention>`;
}

const readingTools = { schema: 'get_schema', prompt: 'get_prompt', tag: 'get_tag' } as const;

function mentionContent(mention: ResolvedMention): unknown {
  switch (mention.type) {
    case 'schema': {
      const { schema_id, schema_revid, schema_version, name, response_format } = mention.schema;
      return { schema_id, schema_revid, schema_version, name, response_format };
    }
    case 'prompt': {
      const { created_at: _at, created_by: _by, tag_ids: _tags, ...rest } = mention.prompt;
      const { schema_id, schema_revid, schema_version, ...prompt } = rest;
      const { schema, tags } = mention.links;
      return {
        ...prompt,
        linked_schema: schema === undefined ? null : { ...schema, schema_version, schema_id, schema_revid },
        tags,
      };
    }
    case 'tag': {
      const { tag_id, name, color, description } = mention.tag;
      return { tag_id, name, color, description };
    }
  }
}
