import { z } from 'zod';
import { pageInfo } from '../base/fields.ts';

/** The variant of the OpenAI protocol that an endpoint uses. For `other`, it is derived from each model's name. */
export const providerKind = z.enum([
  'openai',
  'anthropic',
  'gemini',
  'deepseek',
  'mistral',
  'ollama',
  'bedrock',
  'other',
]);
export type ProviderKind = z.infer<typeof providerKind>;

/** The name is a part of addresses and of model ids. */
export const providerName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, 'A name has up to 50 lower-case letters, digits, - and _.');

const modelIds = z.array(z.string().trim().min(1).max(200)).max(1_000);

export const llmProvider = z.object({
  name: z.string(),
  display_name: z.string(),
  kind: providerKind,
  base_url: z.string(),
  /** Masked; null without a key. */
  token: z.string().nullable(),
  enabled: z.boolean(),
  /** An admin says that the endpoint keeps what it gets in the house: documents with `never_to_model` may go to it. */
  is_local: z.boolean().optional(),
  litellm_models_available: z.array(z.string()),
  litellm_models_enabled: z.array(z.string()),
  litellm_models_chat_agent: z.array(z.string()),
  /** Models that read images: they get images of pages with uncertain or empty text, and the tool `view_page`. */
  litellm_models_vision: z.array(z.string()),
});
export type LlmProvider = z.infer<typeof llmProvider>;

export const llmProviderList = pageInfo.extend({ providers: z.array(llmProvider) });

export const putLlmProviderBody = z.object({
  display_name: z.string().trim().min(1).max(100).optional(),
  /** null: derived again from the address and the models' names. */
  kind: providerKind.nullable().optional(),
  base_url: z.string().trim().min(1).max(2_000).optional(),
  /** Omitted or masked: unchanged. null or empty: no key. */
  token: z.string().trim().max(5_000).nullable().optional(),
  enabled: z.boolean().optional(),
  /** Becomes false when the address changes to another origin, unless it is given again. */
  is_local: z.boolean().optional(),
  litellm_models_enabled: modelIds.optional(),
  litellm_models_chat_agent: modelIds.optional(),
  litellm_models_vision: modelIds.optional(),
});
export type PutLlmProviderBody = z.infer<typeof putLlmProviderBody>;
