import { z } from 'zod';
import { objectId, pageInfo, pageQuery, recordId, reviewQuery, timestamp } from './base/common.ts';
import { idListQuery } from './documents.ts';
import { promptContent, promptEvidence, promptExamples, reviewPolicy } from './prompt-fields.ts';
import { artifactName } from './schemas.ts';

const modelName = z.string().trim().min(1).max(200);

const second_read = z
  .boolean()
  .optional()
  .describe(
    'Extracts twice, with another order of fields and by `second_model` where it is set, and marks what differs. It doubles the cost of an extraction.',
  );

export const prompt = z.object({
  prompt_id: recordId,
  prompt_revid: recordId,
  prompt_version: z.number().int(),
  name: z.string(),
  content: z.string(),
  schema_id: recordId.optional(),
  schema_version: z.number().int().optional(),
  schema_revid: recordId.optional(),
  model: z.string().optional(),
  /** Absent for a prompt without examples. */
  examples: promptExamples.optional(),
  /** Absent where no evidence is asked for. */
  evidence: z.literal(true).optional(),
  /** Present where an extraction reads twice, which doubles its cost. */
  second_read: z.literal(true).optional(),
  /** The model of the second read; the prompt's own unless it is set. */
  second_model: z.string().optional(),
  tag_ids: z.array(z.string()),
  /** Of the prompt, whatever its revision; absent without one. */
  review_policy: reviewPolicy.optional(),
  /** Made by a run without a person and not accepted yet; an ordinary prompt has neither field. */
  auto_created: z.literal(true).optional(),
  review: z.literal('pending').optional(),
  created_at: timestamp,
  created_by: z.string(),
});
export type Prompt = z.infer<typeof prompt>;

export const promptList = pageInfo.extend({ prompts: z.array(prompt) });
export const promptListQuery = pageQuery.extend({
  name_search: z.string().max(200).optional(),
  document_id: objectId.optional(),
  tag_ids: idListQuery.optional(),
  review: reviewQuery.optional(),
});
export const createPromptBody = z.object({
  name: artifactName,
  content: promptContent,
  schema_id: objectId.optional(),
  schema_version: z.number().int().min(1).optional(),
  model: modelName.optional(),
  examples: promptExamples.optional(),
  evidence: promptEvidence.optional(),
  second_read,
  second_model: modelName.optional(),
  tag_ids: z.array(objectId).max(100).optional(),
  review_policy: reviewPolicy.optional(),
});
export const updatePromptBody = z.object({
  name: artifactName.optional(),
  content: promptContent.optional(),
  schema_id: objectId.nullable().optional(),
  schema_version: z.number().int().min(1).optional(),
  model: modelName.nullable().optional(),
  examples: promptExamples.optional(),
  evidence: promptEvidence.optional(),
  second_read,
  second_model: modelName.nullable().optional(),
  tag_ids: z.array(objectId).max(100).optional(),
  review_policy: reviewPolicy.nullable().optional(),
});
