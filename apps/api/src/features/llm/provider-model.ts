import type { ProviderKind, ReasoningLevel, RefusedPart } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** The configured endpoint, as a provider. */
export const defaultProviderName = 'default';

export interface ProviderRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  name: string;
  display_name: string | null;
  /** null: derived from the URL and models. */
  kind: ProviderKind | null;
  /** null for the configured endpoint, whose URL is the operator's. */
  base_url: string | null;
  sealed_token: string | null;
  enabled: boolean;
  /** Documents that no model may see can go to it. Absent in older records. */
  is_local?: boolean;
  litellm_models_available: string[];
  /** Available models that are for other work, according to the endpoint. Absent in older records. */
  models_not_for_chat?: string[];
  /** null: not chosen yet. */
  litellm_models_enabled: string[] | null;
  litellm_models_chat_agent: string[] | null;
  /** Absent in older records. */
  litellm_models_vision?: string[] | null;
  /** How much models think. A list, because names of models have dots. Absent in older records. */
  models_reasoning?: { model: string; reasoning: ReasoningLevel }[];
  /** What the endpoint refused for its models. Absent in older records. */
  dialect?: RefusedPart[];
  /** Counts changes from 1. */
  version: number;
  updated_at: Date;
  updated_by: string;
}

const strings = { type: [String], default: null };

const providerSchema = new mongoose.Schema<ProviderRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    display_name: { type: String, default: null },
    kind: { type: String, default: null },
    base_url: { type: String, default: null },
    sealed_token: { type: String, default: null },
    enabled: { type: Boolean, required: true },
    is_local: { type: Boolean },
    litellm_models_available: { type: [String], default: [] },
    models_not_for_chat: { type: [String], default: [] },
    litellm_models_enabled: strings,
    litellm_models_chat_agent: strings,
    litellm_models_vision: strings,
    models_reasoning: { type: [mongoose.Schema.Types.Mixed], default: undefined },
    dialect: { type: [mongoose.Schema.Types.Mixed], default: undefined },
    version: { type: Number, required: true },
    updated_at: { type: Date, required: true },
    updated_by: { type: String, required: true },
  },
  { collection: 'llm_providers', versionKey: false, autoIndex: false },
);
providerSchema.index({ organization_id: 1, name: 1 }, { unique: true });

export function providerModel(connection: Connection): Model<ProviderRecord> {
  return connection.models['LlmProvider'] ?? connection.model<ProviderRecord>('LlmProvider', providerSchema);
}
