import { threadsKey, type ChatPlace } from '../../../shared/api/chat-api.ts';

/** The query keys of the data that a tool has changed. */
export function staleKeysAfter(toolName: string, place: ChatPlace): string[][] {
  const { orgId, documentId } = place;
  const documents = ['documents', orgId];
  const extractions = ['extractions', orgId, documentId];
  if (['run_extraction', 'update_extraction_field', 'release_result'].includes(toolName))
    return [extractions, documents];
  if (!/^(create|update|delete)_/.test(toolName)) return [];
  if (toolName.endsWith('_schema')) return [['schemas', orgId]];
  if (toolName.endsWith('_prompt')) return [['prompts', orgId]];
  if (toolName.endsWith('_tag')) return [['tags', orgId], documents];
  if (toolName.endsWith('_document')) return [documents, threadsKey(place)];
  return [];
}
