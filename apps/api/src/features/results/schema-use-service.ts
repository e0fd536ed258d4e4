import type { Prompt, SchemaUse } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { SchemaService } from '../schemas/index.ts';
import type { CountByRevision } from './revision-count-repository.ts';

interface SchemaUseDependencies {
  countByRevision: CountByRevision;
  prompts: (actor: Actor) => Pick<PromptService, 'get' | 'list'>;
  schemas: (actor: Actor) => Pick<SchemaService, 'getCurrent'>;
}

/** The prompts that use a schema, with what their documents have. Throws `schema_not_found`. */
export type ReadSchemaUse = (schemaId: string) => Promise<SchemaUse>;

const maxPrompts = 100;

/** Shows what a change of a schema concerns. */
export function createSchemaUse({
  countByRevision,
  prompts,
  schemas,
}: SchemaUseDependencies): (actor: Actor) => ReadSchemaUse {
  return (actor) => async (schemaId) => {
    const { schema_id, schema_version } = await schemas(actor).getCurrent(schemaId);
    const { list, get } = prompts(actor);
    const query = { schema_id, skip: 0, limit: maxPrompts };
    const [accepted, pending] = await Promise.all([list(query), list({ ...query, review: 'pending' })]);
    const shown = [...accepted.prompts, ...pending.prompts].slice(0, maxPrompts);
    const counted = await countByRevision(
      actor.organizationId,
      shown.map(({ prompt_id }) => prompt_id),
    );
    const counts = await Promise.all(
      counted.map(async (count) => ({ ...count, revision: await get(count.prompt_revid) })),
    );
    const isOld = ({ schema_id: id, schema_version: version }: Prompt) =>
      id !== schema_id || version === undefined || version < schema_version;
    return {
      schema_id,
      schema_version,
      prompts: shown.map((prompt) => {
        const own = counts.filter(({ revision }) => revision.prompt_id === prompt.prompt_id);
        const sum = (of: (count: (typeof own)[number]) => number) => own.reduce((total, count) => total + of(count), 0);
        return {
          prompt_id: prompt.prompt_id,
          prompt_revid: prompt.prompt_revid,
          name: prompt.name,
          schema_version: prompt.schema_version ?? schema_version,
          documents: sum(({ documents }) => documents),
          documents_on_old_version: sum(({ documents, revision }) => (isOld(revision) ? documents : 0)),
          documents_verified: sum(({ verified }) => verified),
        };
      }),
      total_count: accepted.total_count + pending.total_count,
    };
  };
}
