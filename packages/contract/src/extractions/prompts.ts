import { z } from 'zod';
import {
  artifactName,
  idListQuery,
  machineDataKind,
  objectId,
  pageInfo,
  pageQuery,
  recordId,
  reviewQuery,
  seenFields,
  timestamp,
} from '../base/fields.ts';
import { releasePolicy } from './release.ts';

export const maxPromptTags = 100;

export const promptContent = z.string().trim().min(1).max(100_000);
/** Number of verified results that an extraction request includes as examples. */
export const promptExamples = z
  .strictObject({ count: z.number().int().min(0).max(5) })
  .describe(
    'Number of verified results of the prompt that each extraction request has as examples (default 0). They are those of the documents with the most similar words, each with the passages of its values and at most 1,000 tokens long. A document is never its own example.',
  );
/** Whether the model quotes the source words of each value. The quotes are checked, and narrow the search for its place. */
export const promptEvidence = z
  .boolean()
  .describe('Whether the model quotes the source words of each value. The quotes narrow the search for its place.');

/** Rules for accepting a prompt's values without a review. */
export const reviewPolicy = z
  .strictObject({
    confirm_below: z.number().min(0).max(1),
    sample: z.number().min(0).max(1),
  })
  .describe(
    'Values with a risk below `confirm_below` are accepted without a user, except in a `sample` of the documents, which a digest of their ids selects. Accepted values are not verified. The policy applies to all revisions of the prompt.',
  );
export type ReviewPolicy = z.infer<typeof reviewPolicy>;

const name = String.raw`[^.[\]\s][^.[\]]*`;
const kinds = machineDataKind.options.join('|');
const inLists = (path: string) => path.split('[]').length - 1;

/** A field of a result, and the value for machines that says the same. Both may lie in a list, `lines[].net`. */
export const mappedField = z
  .strictObject({
    field: z
      .string()
      .max(300)
      .regex(new RegExp(String.raw`^${name}(?:\[\])?(?:\.${name}(?:\[\])?)*$`, 'u'))
      .describe('The field of the result, such as total or line_items[].amount.'),
    from: z
      .string()
      .max(300)
      .regex(new RegExp(String.raw`^(?:${kinds})(?:\.${name}(?:\[\])?)+$`, 'u'))
      .describe(
        'The value in machine_data: its kind and its path in `data`, such as invoice_xml.totals.grand_total or invoice_xml.lines[].net.',
      ),
  })
  .refine(({ field, from }) => inLists(field) === inLists(from) && inLists(field) < 2, {
    message: 'A field of a list needs a value of a list, and lists in lists are not compared.',
  });
export type MappedField = z.infer<typeof mappedField>;

/** The fields of a prompt that its documents also contain as machine-readable data. */
export const machineMap = z
  .array(mappedField)
  .max(100)
  .refine((map) => new Set(map.map(({ field }) => field)).size === map.length, 'A field is mapped once.')
  .describe(
    'Fields whose values stand in `machine_data` of the documents too. Each such value says whether it agrees (`agrees_with_embedded`) or differs (`differs_from_embedded`). An empty list ends that.',
  );

const modelName = z.string().trim().min(1).max(200);

const second_read = z
  .boolean()
  .optional()
  .describe(
    'Whether the document is extracted twice, the second time with the fields in another order and by `second_model` if it is set. Values that differ are marked. It doubles the cost of an extraction.',
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
  /** Present if the prompt uses an earlier version of its schema: extractions find no field that later versions have. */
  newest_schema_version: z.number().int().optional(),
  model: z.string().optional(),
  /** Absent for a prompt without examples. */
  examples: promptExamples.optional(),
  /** Absent if no evidence is requested. */
  evidence: z.literal(true).optional(),
  /** Present if an extraction reads the document twice, which doubles its cost. */
  second_read: z.literal(true).optional(),
  /** The model of the second read. Default: the prompt's model. */
  second_model: z.string().optional(),
  /** Fields that are compared with the data for machines. Absent for none. */
  machine_map: machineMap.optional(),
  /** The tags of the prompt now, in each of its revisions: a change of them makes no revision. */
  tag_ids: z.array(z.string()),
  /** Applies to all revisions of the prompt. Absent without a policy. */
  review_policy: reviewPolicy.optional(),
  /** Applies to all revisions of the prompt. null without a policy: then only users release results. Servers before 0.3.0 left it out. */
  release_policy: releasePolicy
    .required({ max_wrong: true, confidence: true, unit: true, sample: true })
    .nullable()
    .optional(),
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
  schema_id: objectId.optional(),
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
  machine_map: machineMap.optional(),
  tag_ids: z.array(objectId).max(maxPromptTags).optional(),
  review_policy: reviewPolicy.optional(),
  release_policy: releasePolicy.nullable().optional(),
});
export const updatePromptBody = z.object({
  seen: seenFields,
  /** The version that the user saw. If the change would follow another one, the answer is 409 `version_conflict`. */
  base_version: z.number().int().min(1).optional(),
  name: artifactName.optional(),
  content: promptContent.optional(),
  schema_id: objectId.nullable().optional(),
  schema_version: z.number().int().min(1).optional(),
  model: modelName.nullable().optional(),
  examples: promptExamples.optional(),
  evidence: promptEvidence.optional(),
  second_read,
  second_model: modelName.nullable().optional(),
  machine_map: machineMap.optional(),
  tag_ids: z.array(objectId).max(maxPromptTags).optional(),
  /** Adds these tags; others stay. */
  add_tag_ids: z.array(objectId).max(maxPromptTags).optional(),
  remove_tag_ids: z.array(objectId).max(maxPromptTags).optional(),
  review_policy: reviewPolicy.nullable().optional(),
  release_policy: releasePolicy.nullable().optional(),
});
