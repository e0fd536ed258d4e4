import { z } from 'zod';
import type { Plugin } from './definition/plugin.ts';

/** Embeddings from the endpoint in the settings; `LLM_EMBEDDING_MODEL` names the model. */
export const openAiCompatible = {
  id: 'openai_compatible',
  kind: 'embedder',
  name: 'Embeddings',
  description:
    'Vectors from the embeddings model that the operator has set up (LLM_EMBEDDING_MODEL), so that a search finds meanings as well as words. Each chunk is sent to the model.',
  config: z.strictObject({
    batch_size: z.number().int().min(1).max(256).default(64).describe('Chunks sent with one request.'),
  }),
} satisfies Plugin;
