import type { Prompt, Schema } from '@docwright/contract';
import type { DocumentAgentServices } from '../../context/services.ts';
import { everyPage } from './changes.ts';

/** The prompts that use a schema, in any revision of it, also those of a pending proposal. */
export async function promptsOf(
  { prompts }: Pick<DocumentAgentServices, 'prompts'>,
  { schema_id }: Pick<Schema, 'schema_id'>,
): Promise<Prompt[]> {
  const accepted = await everyPage('prompts', (query) => prompts.list(query));
  const pending = await everyPage('prompts', (query) => prompts.list({ ...query, review: 'pending' }));
  return [...accepted, ...pending].filter((prompt) => prompt.schema_id === schema_id);
}

/**
 * The schema that was worked on last, if no prompt uses it: a call in the same answer cannot know its id yet, and the prompt
 * is meant for it.
 */
export async function schemaWithoutPrompt(
  services: Pick<DocumentAgentServices, 'prompts' | 'schemas'>,
  { schema_revid }: { schema_revid: string | null },
): Promise<Schema | undefined> {
  if (schema_revid === null) return undefined;
  const schema = await services.schemas.get(schema_revid).catch(() => undefined);
  if (schema === undefined) return undefined;
  return (await promptsOf(services, schema)).length === 0 ? schema : undefined;
}
