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
