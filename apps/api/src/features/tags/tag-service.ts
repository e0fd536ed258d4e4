import { DomainError, maxTags, type Tag, type createTagBody, type updateTagBody } from '@docwright/contract';
import type { z } from 'zod';
import { declareWrites, type AuditWrites } from '../audit/index.ts';
import { requireAdmin, type Actor } from '../identity/index.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import type { TagQuery, TagRepository } from './tag-repository.ts';
import type { PageEnd } from '../../platform/database/page.ts';

interface TagServiceDependencies {
  auditWrites: AuditWrites;
  tagsOf: (organizationId: string) => TagRepository;
  countDocumentsWith: (organizationId: string, tagId: string) => Promise<number>;
  countPromptsWith: (organizationId: string, tagId: string) => Promise<number>;
  /** Keeps the documents with the tag from models. */
  keepDocumentsWith: (organizationId: string, tagId: string) => Promise<void>;
}

/** The tags of one organization, with the rights of one user. Throws `tag_not_found` for an unknown id. */
export type TagService = ReturnType<typeof tagServiceFor>;

const writes = declareWrites<TagService>({
  create: { tool: 'create_tag', takes: ['...', 'origin'] },
  update: { tool: 'update_tag', takes: ['tag_id', '...', 'origin'] },
  delete: { tool: 'delete_tag', takes: ['tag_id', 'origin'] },
});

export function createTagService(dependencies: TagServiceDependencies): (actor: Actor) => TagService {
  return dependencies.auditWrites(writes, (actor) => tagServiceFor(actor, dependencies));
}

function tagServiceFor(
  actor: Actor,
  { tagsOf, countDocumentsWith, countPromptsWith, keepDocumentsWith }: TagServiceDependencies,
) {
  const tags = tagsOf(actor.organizationId);

  async function requireUnused(tag_id: string): Promise<void> {
    const [documents, prompts] = await Promise.all([
      countDocumentsWith(actor.organizationId, tag_id),
      countPromptsWith(actor.organizationId, tag_id),
    ]);
    if (documents + prompts === 0) return;
    throw new DomainError(
      'invalid',
      'tag_in_use',
      `The tag is in use by ${documents} documents and ${prompts} prompts. Remove it from them first.`,
    );
  }

  return {
    async get(tag_id: string): Promise<Tag> {
      return found(await tags.get(tag_id));
    },
    /** By name. */
    async list(query: TagQuery): Promise<{ tags: Tag[]; skip: number; limit: number } & PageEnd> {
      return { ...(await tags.list(query)), skip: query.skip, limit: query.limit };
    },
    /** Throws `tag_name_taken` if another tag has the name, ignoring case, and `too_many_tags` outside of chats. */
    async create(
      { name, color, description, on_arrival, never_to_model }: z.infer<typeof createTagBody>,
      origin?: WriteOrigin,
    ): Promise<Tag> {
      const tag = {
        name,
        color: color?.toLowerCase() ?? defaultTagColor(name),
        description: description ?? '',
        created_by: actor.userId,
        ...(on_arrival && { on_arrival }),
        ...(never_to_model === true && { never_to_model }),
      };
      // A call in a chat is asked about, makes one tag, and is answered alike when it is repeated.
      if (origin?.thread_id === undefined && (await tags.countAll()) >= maxTags) throw tooManyTags();
      return freeName(name, await tags.create(tag, origin));
    },
    async update(tag_id: string, body: z.infer<typeof updateTagBody>, origin?: WriteOrigin): Promise<Tag> {
      const former = found(await tags.get(tag_id));
      const keeps = former.never_to_model === true;
      if (body.never_to_model === false && keeps) requireAdmin(actor);
      const updated = found(freeName(body.name, await tags.update(tag_id, body, origin)));
      // After the tag: documents that get it meanwhile are kept by it.
      if (body.never_to_model === true) await keepDocumentsWith(actor.organizationId, tag_id);
      return updated;
    },
    /** Throws `tag_in_use` while a document or a current prompt has the tag. */
    async delete(tag_id: string, origin?: WriteOrigin): Promise<void> {
      if (await tags.get(tag_id)) await requireUnused(tag_id);
      found((await tags.remove(tag_id, origin)) || undefined);
    },
  };
}

function freeName<Result>(name: string | undefined, result: Result | 'name_taken'): Result {
  if (result === 'name_taken') {
    throw new DomainError(
      'conflict',
      'tag_name_taken',
      `There is a tag named "${name}" already (upper and lower case count as the same). Use that one or choose another name.`,
    );
  }
  return result;
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new DomainError('not_found', 'tag_not_found', 'There is no such tag.');
  return value;
}

/** Distinct on white and on dark, in the order of a colour wheel. */
const palette = [
  '#dc2626',
  '#ea580c',
  '#d97706',
  '#65a30d',
  '#16a34a',
  '#0d9488',
  '#0891b2',
  '#2563eb',
  '#4f46e5',
  '#7c3aed',
  '#c026d3',
  '#db2777',
];

/** The colour of a tag that was given none: the same name always has the same. */
function defaultTagColor(name: string): string {
  let hash = 0;
  for (const character of name.toLowerCase()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return palette[hash % palette.length] ?? '#2563eb';
}

function tooManyTags(): DomainError {
  const cure = 'Delete some that are not used, or turn off the tags after subfolders of a source.';
  return new DomainError(
    'conflict',
    'too_many_tags',
    `The organization has ${maxTags} tags, the most it can have. ${cure}`,
  );
}
