import type { ProviderKind, ReasoningLevel, RefusedPart } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

/** The configured endpoint, as a provider. */
export const defaultProviderName = 'default';

export type ProviderRecord = StoredRecord<typeof providerSchema>;

const providerSchema = recordSchema(
  {
    organization_id: field.objectId,
    name: field.text,
    display_name: field.text.orNull(),
    /** null: derived from the URL and models. */
    kind: field.oneOf<ProviderKind>().orNull(),
    /** null for the configured endpoint, whose URL is the operator's. */
    base_url: field.text.orNull(),
    sealed_token: field.text.orNull(),
    enabled: field.flag,
    /** Documents that no model may see can go to it. Absent in older records. */
    is_local: field.flag.optional(),
    litellm_models_available: field.text.list(),
    /** Available models that are for other work, according to the endpoint. Absent in older records. */
    models_not_for_chat: field.text.list().default([]).optional(),
    /** null: not chosen yet. */
    litellm_models_enabled: field.text.list().orNull(),
    litellm_models_chat_agent: field.text.list().orNull(),
    /** Absent in older records. */
    litellm_models_vision: field.text.list().orNull().optional(),
    /** How much models think. A list, because names of models have dots. Absent in older records. */
    models_reasoning: field.mixed<{ model: string; reasoning: ReasoningLevel }>().list().optional(),
    /** What the endpoint refused for its models. Absent in older records. */
    dialect: field.mixed<RefusedPart>().list().optional(),
    /** Counts changes from 1. */
    version: field.number,
    updated_at: field.date,
    updated_by: field.text,
  },
  { collection: 'llm_providers' },
);
providerSchema.index({ organization_id: 1, name: 1 }, { unique: true });

export const providerModel = modelOf('LlmProvider', providerSchema);
