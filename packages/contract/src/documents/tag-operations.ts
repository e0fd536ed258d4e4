import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { createTagBody, tag, tagList, tagListQuery, updateTagBody } from './tags.ts';

export const tagOperations = describeOperations('tags', {
  'POST /v0/orgs/:org_id/tags': {
    operationId: 'createTag',
    summary: 'Create a tag',
    description:
      'Names are unique in the organization, ignoring case, and it has 10,000 tags at most. The default colour is derived from the name.',
    body: createTagBody,
    errors: ['viewer_cannot_write', 'tag_name_taken', 'too_many_tags'],
    response: { 201: tag },
  },
  'GET /v0/orgs/:org_id/tags': {
    operationId: 'listTags',
    summary: 'List tags, by name',
    querystring: tagListQuery,
    response: { 200: tagList },
  },
  'GET /v0/orgs/:org_id/tags/:tag_id': {
    operationId: 'getTag',
    summary: 'Get a tag',
    errors: ['tag_not_found'],
    response: { 200: tag },
  },
  'PUT /v0/orgs/:org_id/tags/:tag_id': {
    operationId: 'updateTag',
    summary: 'Change a tag',
    description:
      'Omitted fields stay as they are. `never_to_model: true` keeps the documents with the tag, and those that get it, from all models; only an admin clears it, which clears no document.',
    body: updateTagBody,
    errors: ['viewer_cannot_write', 'admin_required', 'tag_not_found', 'tag_name_taken', 'version_conflict'],
    response: { 200: tag },
  },
  'DELETE /v0/orgs/:org_id/tags/:tag_id': {
    operationId: 'deleteTag',
    summary: 'Delete a tag',
    description: 'Not while a document or a current prompt has the tag.',
    errors: ['tag_in_use', 'viewer_cannot_write', 'tag_not_found'],
    response: { 204: z.undefined() },
  },
});
