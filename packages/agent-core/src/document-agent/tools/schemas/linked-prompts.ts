import type { Prompt, Schema } from '@docwright/contract';
import type { WriteOrigin } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { everyPage } from '../shared/changes.ts';
import { promptReference } from '../shared/references.ts';

type Services = Pick<DocumentAgentServices, 'prompts'>;

/** The prompts that link a revision of the schema which is not its newest. */
async function promptsBehind({ prompts }: Services, { schema_id, schema_revid }: Schema): Promise<Prompt[]> {
  const all = await everyPage('prompts', (query) => prompts.list(query));
  return all.filter((prompt) => prompt.schema_id === schema_id && prompt.schema_revid !== schema_revid);
}

/**
 * After a schema has changed: links the prompts of its earlier revisions to the newest one, or names them. Each prompt is
 * a write of its own, with an id that follows from the call's.
 */
export async function relink(
  services: Services,
  schema: Schema,
  isWanted: boolean,
  origin: WriteOrigin,
): Promise<{ result: Record<string, unknown>; relinked: Prompt[] }> {
  const behind = await promptsBehind(services, schema);
  if (behind.length === 0) return { result: {}, relinked: [] };
  if (!isWanted) return { result: { prompts_on_old_revision: behind.map(promptReference) }, relinked: [] };
  const relinked: Prompt[] = [];
  for (const { prompt_id } of behind) {
    const own = { ...origin, call_id: `${origin.call_id}-${prompt_id}` };
    relinked.push(await services.prompts.update(prompt_id, { schema_id: schema.schema_id }, own));
  }
  return { result: { relinked_prompts: relinked.map(promptReference) }, relinked };
}
