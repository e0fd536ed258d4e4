import { z } from 'zod';
import {
  artifactName,
  jsonObject,
  pageInfo,
  pageQuery,
  recordId,
  reviewQuery,
  seenFields,
  timestamp,
} from '../base/fields.ts';

/** This schema checks only the outer shape (422). The rules of the inner JSON schema are checked later (400). */
export const responseFormat = z.strictObject({
  type: z.literal('json_schema'),
  json_schema: z.strictObject({
    name: z.string().min(1).max(200),
    strict: z.boolean().default(true),
    description: z.string().max(10_000).optional(),
    schema: jsonObject,
  }),
});
export type ResponseFormat = z.infer<typeof responseFormat>;

/** A condition across the fields of a result, in the Common Expression Language. It is true for a correct result. */
export const schemaCheck = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\w.-]+$/, 'Use letters, digits, _, - and .'),
  expression: z.string().min(1).max(2000),
  /** For users, if the check fails. */
  message: z.string().trim().min(1).max(300),
  severity: z.enum(['error', 'warning']),
});
export type SchemaCheck = z.infer<typeof schemaCheck>;
export const schemaChecks = z.array(schemaCheck).max(50);

export const schema = z.object({
  schema_id: recordId,
  schema_revid: recordId,
  schema_version: z.number().int(),
  name: z.string(),
  response_format: responseFormat,
  /** Versioned together with the format. Absent without checks. */
  checks: schemaChecks.optional(),
  /** Created by an unattended run and not accepted yet. Other schemas have neither field. */
  auto_created: z.literal(true).optional(),
  review: z.literal('pending').optional(),
  created_at: timestamp,
  created_by: z.string(),
});
export type Schema = z.infer<typeof schema>;

export const schemaList = pageInfo.extend({ schemas: z.array(schema) });
export const schemaListQuery = pageQuery.extend({
  name_search: z.string().max(200).optional(),
  review: reviewQuery.optional(),
});
export const createSchemaBody = z.object({
  name: artifactName,
  response_format: responseFormat,
  checks: schemaChecks.optional(),
});
export const updateSchemaBody = z.object({
  seen: seenFields,
  /** The version that the user saw. If the change would follow another one, the answer is 409 `version_conflict`. */
  base_version: z.number().int().min(1).optional(),
  name: artifactName.optional(),
  response_format: responseFormat.optional(),
  /** All checks of the next version. Default: those of the current version. */
  checks: schemaChecks.optional(),
});

/** A prompt that uses a schema, with what its documents have. */
export const schemaUser = z.object({
  prompt_id: recordId,
  prompt_revid: recordId,
  name: z.string(),
  /** The version that the prompt uses: of an earlier one, its next extraction finds no new field. */
  schema_version: z.number().int(),
  /** Documents with a result of the prompt, and those of them whose newest result is of an earlier version of the schema. */
  documents: z.number().int(),
  documents_on_old_version: z.number().int(),
  /** Documents with a verified result: a change can be measured on them. */
  documents_verified: z.number().int(),
});
export type SchemaUser = z.infer<typeof schemaUser>;
export const schemaUse = z.object({
  schema_id: recordId,
  /** The newest. */
  schema_version: z.number().int(),
  /** The prompts whose current revision uses the schema, at most 100, last changed first. */
  prompts: z.array(schemaUser),
  total_count: z.number().int(),
});
export type SchemaUse = z.infer<typeof schemaUse>;

export const validateBody = z.object({ data: z.unknown() });

export const validationError = z.object({ path: z.string(), message: z.string() });
export type ValidationError = z.infer<typeof validationError>;
export const validationAnswer = z.object({ valid: z.boolean(), errors: z.array(validationError) });
export type ValidationAnswer = z.infer<typeof validationAnswer>;

/** A check that the result fails, with the fields in its condition: `line_items[].amount`. */
export const failedCheck = z.object({
  id: z.string(),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
  fields: z.array(z.string()),
});
export type FailedCheck = z.infer<typeof failedCheck>;

/** Data validated against a schema and its checks. Failed checks do not affect `valid`. */
export const dataValidation = validationAnswer.extend({ failed_checks: z.array(failedCheck) });
export type DataValidation = z.infer<typeof dataValidation>;
