import { z } from 'zod';
import { pageInfo, seenFields, shownName } from '../base/fields.ts';
import { reasoningLevel, refusedPart, requestPart } from './model-dialect.ts';

/** The variant of the OpenAI protocol that an endpoint uses. For `other`, it is derived from each model's name. */
export const providerKind = z.enum([
  'openai',
  'anthropic',
  'gemini',
  'deepseek',
  'mistral',
  'ollama',
  'bedrock',
  'openrouter',
  'other',
]);
export type ProviderKind = z.infer<typeof providerKind>;

/** The name is a part of addresses and of model ids. */
export const providerName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, 'A name has up to 50 lower-case letters, digits, - and _.');

const modelId = z.string().trim().min(1).max(200);
const modelIds = z.array(modelId).max(1_000);

/** How much each model thinks; a model that is not named thinks as its endpoint decides. */
const reasoningOfModels = z
  .record(modelId, reasoningLevel)
  .refine((levels) => Object.keys(levels).length <= 1_000, 'Name at most 1,000 models.');

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
  /** How much each model thinks, by model. */
  reasoning: z.record(z.string(), reasoningLevel),
  /** What the endpoint refused for its models; later requests have the plainer form. */
  dialect: z.array(refusedPart),
});
export type LlmProvider = z.infer<typeof llmProvider>;

export const llmProviderList = pageInfo.extend({ providers: z.array(llmProvider) });

export const putLlmProviderBody = z.object({
  seen: seenFields,
  display_name: shownName(100).optional(),
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
  /** Replaces the levels of all models. */
  reasoning: reasoningOfModels.optional(),
  /** The refusals to keep; what is left out is forgotten and tried again. Nothing can be added. */
  dialect: z
    .array(z.object({ model: z.string().max(200), refused: requestPart }))
    .max(1_000)
    .optional(),
});
export type PutLlmProviderBody = z.infer<typeof putLlmProviderBody>;
