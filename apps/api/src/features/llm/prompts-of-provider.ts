import { DomainError } from '@docwright/contract';
import type { PromptRepository } from '../prompts/index.ts';
import type { ModelService } from './model-service.ts';

/** Throws `provider_in_use` while a current prompt uses one of the provider's models. */
export async function requireUnused(
  dependencies: Parameters<typeof promptsUsing>[0],
  organizationId: string,
  provider: string,
): Promise<void> {
  const users = await promptsUsing(dependencies, organizationId, provider);
  if (users.length > 0) throw inUse(users);
}

function inUse(prompts: string[]): DomainError {
  const names = prompts.map((name) => `"${name}"`).join(', ');
  return new DomainError(
    'invalid',
    'provider_in_use',
    `The prompts ${names} use models of this provider. Give them another model or delete them first.`,
  );
}

const pageSize = 100;

/** The names of current prompts whose model is one of this provider's, in either form of its name. */
async function promptsUsing(
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
  const offered = new Set((await models.list()).filter((model) => model.provider === provider).map(({ id }) => id));
  if (offered.size === 0) return [];
  const users: string[] = [];
  for (let skip = 0; ; skip += pageSize) {
    const { revisions } = await promptsOf(organizationId).list({ skip, limit: pageSize, review: 'any' });
    for (const { name, content } of revisions) {
      const { model } = content;
      if (model === undefined) continue;
      // An unknown name belongs to no provider.
      const id = await models.resolveModel(model).catch(() => undefined);
      if (id !== undefined && offered.has(id)) users.push(name);
    }
    if (revisions.length < pageSize) return users;
  }
}
