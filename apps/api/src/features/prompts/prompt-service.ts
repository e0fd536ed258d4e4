import {
  DomainError,
  type MappedField,
  type Prompt,
  type createPromptBody,
  type promptListQuery,
  type updatePromptBody,
} from '@docwright/contract';
import { typesOfField } from '@docwright/documents';
import type { z } from 'zod';
import { declareWrites, type AuditWrites } from '../audit/index.ts';
import type { Actor } from '../identity/index.ts';
import type { ChangeReview, Revision } from '../revisions/index.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import type { SchemaRepository } from '../schemas/index.ts';
import { presentPrompt, promptContentOf, settingsOf, type SchemaOfPrompt } from './prompt-content.ts';
import { changedTags, type PromptContent, type PromptRepository } from './prompt-repository.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';
import { requireSeen, withoutAdded } from '../../platform/records/seen-edit.ts';

/** Called after the review policy or the release policy of a prompt was set, changed or removed; `changed` names which. */
export type EmitPolicyChange = (organizationId: string, promptId: string, changed: readonly string[]) => Promise<void>;

interface PromptServiceDependencies {
  auditWrites: AuditWrites;
  promptsOf: (organizationId: string) => PromptRepository;
  schemasOf: (organizationId: string) => SchemaRepository;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  /** The tags of a document; undefined if the organization has no such document. */
  tagsOfDocument: (organizationId: string, documentId: string) => Promise<string[] | undefined>;
  /** Ends the pending review of a schema: a user's own prompt uses it. */
  endSchemaReview: ChangeReview;
  /** Throws `model_not_enabled` if the model is not offered. */
  checkModel: (organizationId: string, model: string) => Promise<void>;
  emitPolicyChange: EmitPolicyChange;
}

/** The prompts of one organization, with the rights of one user. Throws `prompt_not_found` for an unknown id. */
export type PromptService = ReturnType<typeof promptServiceFor>;

interface PromptList extends PageEnd {
  skip: number;
  limit: number;
  prompts: Prompt[];
}

const writes = declareWrites<PromptService>({
  create: { tool: 'create_prompt', takes: ['...', 'origin'] },
  update: { tool: 'update_prompt', takes: ['prompt_id', '...', 'origin'] },
  delete: { tool: 'delete_prompt', takes: ['prompt_id', 'origin'] },
});

export function createPromptService(dependencies: PromptServiceDependencies): (actor: Actor) => PromptService {
  return dependencies.auditWrites(writes, (actor) => promptServiceFor(actor, dependencies));
}

function promptServiceFor(actor: Actor, dependencies: PromptServiceDependencies) {
  const { checkTags, checkModel, tagsOfDocument, emitPolicyChange } = dependencies;
  const prompts = dependencies.promptsOf(actor.organizationId);
  const schemas = dependencies.schemasOf(actor.organizationId);

  async function chooseSchema(schema_id: string, version: number | undefined): Promise<SchemaOfPrompt> {
    const schema = await (version === undefined
      ? schemas.getCurrent(schema_id)
      : schemas.getVersion(schema_id, version));
    if (!schema) {
      const missing = version === undefined ? 'schema' : `version ${version} of the schema`;
      throw unknownReference(`There is no such ${missing}. List the schemas and use a schema_id from there.`);
    }
    return { schema_id: schema.artifact_id, schema_version: schema.version, schema_revid: schema.revid };
  }

  async function checkReferences(body: {
    tag_ids?: string[] | undefined;
    add_tag_ids?: string[] | undefined;
    model?: string | null | undefined;
    second_model?: string | null | undefined;
  }) {
    await checkTags(actor.organizationId, [...(body.tag_ids ?? []), ...(body.add_tag_ids ?? [])]);
    if (body.model) await checkModel(actor.organizationId, body.model);
    if (body.second_model) await checkModel(actor.organizationId, body.second_model);
  }

  /** A prompt without a pending review ends the review of its schema. */
  async function presentAfterWrite(revision: Revision<PromptContent>): Promise<Prompt> {
    const { schema_id } = revision.content;
    if (revision.review === undefined && schema_id !== undefined) {
      await dependencies.endSchemaReview(actor.organizationId, schema_id);
    }
    return presentPrompt(revision);
  }

  /** Prompts that use an earlier version of their schema say which is the newest. */
  async function presentAll(revisions: readonly Revision<PromptContent>[]): Promise<Prompt[]> {
    const ids = revisions.flatMap(({ content }) => content.schema_id ?? []);
    const newest = await schemas.currentVersions([...new Set(ids)]);
    return revisions.map((revision) => {
      const { schema_id, schema_version } = revision.content;
      const version = newest.get(schema_id ?? '');
      const isOld = version !== undefined && schema_version !== undefined && schema_version < version;
      return { ...presentPrompt(revision), ...(isOld && { newest_schema_version: version }) };
    });
  }
  const presentOne = async (revision: Revision<PromptContent> | undefined): Promise<Prompt> =>
    foundOrThrow((await presentAll([foundOrThrow(revision)]))[0]);

  async function documentTags(documentId: string): Promise<string[]> {
    const tags = await tagsOfDocument(actor.organizationId, documentId);
    if (!tags) throw unknownReference('There is no such document. List the documents and use an id from there.');
    return tags;
  }

  async function nextSchema(body: z.infer<typeof updatePromptBody>, current: PromptContent): Promise<SchemaOfPrompt> {
    if (body.schema_id === null) return {};
    if (body.schema_id === undefined && body.schema_version === undefined) {
      const { schema_id, schema_version, schema_revid } = current;
      return schema_id && schema_version && schema_revid ? { schema_id, schema_version, schema_revid } : {};
    }
    const schema_id = body.schema_id ?? current.schema_id;
    if (schema_id === undefined) throw versionWithoutSchema();
    return await chooseSchema(schema_id, body.schema_version);
  }

  return {
    async get(prompt_revid: string): Promise<Prompt> {
      return await presentOne(await prompts.get(prompt_revid));
    },
    async getCurrent(prompt_id: string): Promise<Prompt> {
      return await presentOne(await prompts.getCurrent(prompt_id));
    },
    /** `document_id` selects prompts that share a tag with the document. */
    async list({ document_id, ...query }: z.infer<typeof promptListQuery>): Promise<PromptList> {
      const any_tag_ids = document_id === undefined ? undefined : await documentTags(document_id);
      const { revisions, ...counted } = await prompts.list({ ...query, any_tag_ids });
      return { prompts: await presentAll(revisions), ...counted, skip: query.skip, limit: query.limit };
    },
    async versions(prompt_id: string, page: PageSelection): Promise<PromptList> {
      const { revisions, ...end } = foundOrThrow(await prompts.versions(prompt_id, page));
      return { prompts: await presentAll(revisions), ...end, skip: page.skip, limit: page.limit };
    },
    async create(body: z.infer<typeof createPromptBody>, origin?: WriteOrigin): Promise<Prompt> {
      const earlier = await prompts.applied(origin);
      if (earlier) return presentPrompt(earlier);
      if (body.schema_id === undefined && body.schema_version !== undefined) throw versionWithoutSchema();
      await checkReferences(body);
      const schema = body.schema_id === undefined ? {} : await chooseSchema(body.schema_id, body.schema_version);
      await requireMappedFields(schemas, schema, body.machine_map);
      const content = promptContentOf({ ...body, tag_ids: body.tag_ids ?? [] }, schema);
      const settings = settingsOf(body, actor.userId);
      const created = await prompts.create({ name: body.name, content, settings, created_by: actor.userId, origin });
      if (settings) await emitPolicyChange(actor.organizationId, created.artifact_id, Object.keys(settings));
      return await presentAfterWrite(created);
    },
    async update(prompt_id: string, body: z.infer<typeof updatePromptBody>, origin?: WriteOrigin): Promise<Prompt> {
      const earlier = await prompts.applied(origin);
      if (earlier) return presentPrompt(earlier);
      await checkReferences(body);
      const next = async (current: PromptContent) => {
        const schema = await nextSchema(body, current);
        await requireMappedFields(schemas, schema, body.machine_map);
        return promptContentOf(
          {
            content: body.content ?? current.content,
            model: body.model === undefined ? current.model : (body.model ?? undefined),
            examples: body.examples ?? current.examples,
            evidence: body.evidence ?? current.evidence,
            second_read: body.second_read ?? current.second_read,
            second_model: body.second_model === undefined ? current.second_model : (body.second_model ?? undefined),
            machine_map: body.machine_map ?? current.machine_map,
            tag_ids: changedTags(current.tag_ids, body),
          },
          schema,
        );
      };
      const settings = settingsOf(body, actor.userId);
      const seen = withoutAdded(body.seen, 'newest_schema_version');
      const updated = await prompts.update(prompt_id, {
        name: body.name,
        settings,
        next,
        created_by: actor.userId,
        origin,
        base_version: body.base_version,
        requireSeen: seen && ((present) => requireSeen('prompt', seen, presentPrompt(present))),
      });
      if (settings) await emitPolicyChange(actor.organizationId, prompt_id, Object.keys(settings));
      return await presentAfterWrite(foundOrThrow(updated));
    },
    async delete(prompt_id: string, origin?: WriteOrigin): Promise<void> {
      foundOrThrow((await prompts.remove(prompt_id, origin)) || undefined);
    },
    /** The prompt for extractions that name none: the newest that shares a tag, else the newest created for the document. */
    async defaultFor(document_id: string): Promise<Prompt | undefined> {
      const newest = { skip: 0, limit: 1 };
      const any_tag_ids = await documentTags(document_id);
      const byTag = await prompts.list({ ...newest, any_tag_ids });
      const { revisions } =
        byTag.total_count > 0
          ? byTag
          : await prompts.list({ ...newest, origin_document_id: document_id, review: 'any' });
      return (await presentAll(revisions))[0];
    },
  };
}

function unknownReference(message: string): DomainError {
  return new DomainError('invalid', 'unknown_reference', message);
}

function versionWithoutSchema(): DomainError {
  return new DomainError('invalid', 'schema_version_without_schema', 'A schema_version needs a schema_id beside it.');
}

function foundOrThrow<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new DomainError('not_found', 'prompt_not_found', 'There is no such prompt.');
  return value;
}

/** Throws `unknown_reference` if the prompt's schema lacks a mapped field. */
async function requireMappedFields(
  schemas: Pick<SchemaRepository, 'get'>,
  { schema_revid }: Pick<PromptContent, 'schema_revid'>,
  map: readonly MappedField[] = [],
): Promise<void> {
  if (map.length === 0) return;
  const schema = schema_revid === undefined ? undefined : await schemas.get(schema_revid);
  const fields = schema?.content.json_schema.schema;
  const unknown = map.find(({ field }) => typesOfField(fields, field).length === 0);
  if (unknown === undefined) return;
  throw new DomainError(
    'invalid',
    'unknown_reference',
    `machine_map names the field “${unknown.field}”, which the prompt’s schema does not have. Use a field of the schema.`,
  );
}
