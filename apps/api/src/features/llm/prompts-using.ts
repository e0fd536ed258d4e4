import type { PromptRepository } from '../prompts/prompt-repository.ts';
import type { ModelService } from './model-service.ts';

const pageSize = 100;

/** Names of the current prompts whose model is one that this provider offers, whichever way they name it. */
export async function promptsUsing(
  {
    modelsOf,
    promptsOf,
  }: {
    modelsOf: (organizationId: string) => Pick<ModelService, 'list' | 'resolveModel'>;
    promptsOf: (organizationId: string) => Pick<PromptRepository, 'list'>;
  },
  organizationId: string,
  provider: string,
): Promise<string[]> {
  const models = modelsOf(organizationId);
  const offered = new Set((await models.list()).filter((each) => each.provider === provider).map(({ id }) => id));
  if (offered.size === 0) return [];
  const users: string[] = [];
  for (let skip = 0; ; skip += pageSize) {
    const { revisions } = await promptsOf(organizationId).list({ skip, limit: pageSize, review: 'any' });
    for (const { name, content } of revisions) {
      const { model } = content;
      if (model === undefined) continue;
      // A name that nobody offers is of no provider.
      const id = await models.resolveModel(model).catch(() => undefined);
      if (id !== undefined && offered.has(id)) users.push(name);
    }
    if (revisions.length < pageSize) return users;
  }
}
