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
  /** Absent if no evidence is requested. */
  evidence: z.literal(true).optional(),
  /** Present if an extraction reads the document twice, which doubles its cost. */
  second_read: z.literal(true).optional(),
  /** The model of the second read. Default: the prompt's model. */
  second_model: z.string().optional(),
  tag_ids: z.array(z.string()),
  /** Applies to all revisions of the prompt. Absent without a policy. */
  review_policy: reviewPolicy.optional(),
  /** Created by an unattended run and not accepted yet. Other prompts have neither field. */
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
