import { DomainError } from '@docwright/contract';
import type { ModelService } from './model-service.ts';

/**
 * The model of a turn: the requested one, else the thread's last one if it is still available, else the default. Throws
 * `model_not_enabled` if the requested model is not available for chat.
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
    `The model "${requested}" is not available for chat. Choose one of: ${offered.slice(0, 20).join(', ')}.`,
  );
}
