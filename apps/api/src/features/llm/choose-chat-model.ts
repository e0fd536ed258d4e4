import { DomainError } from '@docwright/contract';
import type { ModelService } from './model-service.ts';

/**
 * The model of a turn: the one asked for, else the one the thread was last used with if it is still offered, else the
 * default. Throws `model_not_enabled` where one was asked for that is not offered for chat.
 */
export async function chooseChatModel(
  models: Pick<ModelService, 'list' | 'resolveModel'>,
  requested: string | undefined,
  last: string | undefined,
): Promise<string> {
  if (requested === undefined && last === undefined) return models.resolveModel();
  const offered = (await models.list({ chat_only: true })).map(({ id }) => id);
  if (requested === undefined) return last !== undefined && offered.includes(last) ? last : models.resolveModel();
  const model = await models.resolveModel(requested);
  if (offered.includes(model)) return model;
  throw new DomainError(
    'invalid',
    'model_not_enabled',
    `The model "${requested}" is not offered for chat. Choose one of: ${offered.slice(0, 20).join(', ')}.`,
  );
}
