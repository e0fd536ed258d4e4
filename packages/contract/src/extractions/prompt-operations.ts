import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { objectId, pageQuery } from '../base/fields.ts';
import { createPromptBody, prompt, promptList, promptListQuery, updatePromptBody } from './prompts.ts';

// A prompt and its revisions are both `:id`: OpenAPI takes paths that differ in a parameter's name alone for one path.
export const promptOperations = describeOperations('prompts', {
  'POST /v0/orgs/:org_id/prompts': {
    operationId: 'createPrompt',
    summary: 'Create a prompt',
    description:
      '`schema_id` is pinned to the revision of `schema_version`, by default to the newest. A prompt applies to the documents that have one of its tags.',
    body: createPromptBody.meta({
      examples: [
        { name: 'Invoices', content: 'Extract the fields of this invoice.', schema_id: '6650f1c2a4b3d2e1f0a9b8c7' },
      ],
    }),
    errors: ['model_not_enabled', 'schema_version_without_schema', 'unknown_reference', 'viewer_cannot_write'],
    response: { 201: prompt },
  },
  'GET /v0/orgs/:org_id/prompts': {
    operationId: 'listPrompts',
    summary: 'List prompts in their newest revision, last changed first',
    description:
      '`document_id` selects the prompts that share a tag with the document, `tag_ids` those that have all of the tags, `schema_id` those that use the schema in any version. `newest_schema_version` of a prompt is present if it uses an earlier version.',
    querystring: promptListQuery,
    errors: ['unknown_reference'],
    response: { 200: promptList },
  },
  'GET /v0/orgs/:org_id/prompts/:id': {
    operationId: 'getPrompt',
    summary: 'Get a revision of a prompt',
    description: 'Revisions stay readable when their prompt is deleted.',
    params: { id: objectId.describe('A prompt_revid') },
    errors: ['prompt_not_found'],
    response: { 200: prompt },
  },
  'PUT /v0/orgs/:org_id/prompts/:id': {
    operationId: 'updatePrompt',
    summary: 'Change a prompt',
    description:
      'Omitted fields stay as they are; `add_tag_ids` and `remove_tag_ids` keep tags that others give meanwhile, `tag_ids` replaces all; null removes `schema_id` or `model`. A change creates a new revision, a rename alone does not. With `base_version`, no revision follows one that the user did not see.',
    params: { id: objectId.describe('A prompt_id') },
    body: updatePromptBody.meta({
      examples: [{ content: 'Extract the fields of this invoice. Amounts are in euros.' }],
    }),
    errors: [
      'model_not_enabled',
      'schema_version_without_schema',
      'unknown_reference',
      'viewer_cannot_write',
      'prompt_not_found',
      'prompt_too_full',
      'version_conflict',
    ],
    response: { 200: prompt },
  },
  'DELETE /v0/orgs/:org_id/prompts/:id': {
    operationId: 'deletePrompt',
    summary: 'Delete a prompt',
    description: 'Its revisions and their extractions stay readable.',
    params: { id: objectId.describe('A prompt_id') },
    errors: ['viewer_cannot_write', 'prompt_not_found'],
    response: { 204: z.undefined() },
  },
  'GET /v0/orgs/:org_id/prompts/:id/versions': {
    operationId: 'listPromptVersions',
    summary: 'List the revisions of a prompt, newest first',
    params: { id: objectId.describe('A prompt_id') },
    querystring: pageQuery,
    errors: ['prompt_not_found'],
    response: { 200: promptList },
  },
});
