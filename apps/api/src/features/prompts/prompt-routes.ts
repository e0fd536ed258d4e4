import {
  createPromptBody,
  objectId,
  pageQuery,
  prompt,
  promptList,
  promptListQuery,
  updatePromptBody,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from './prompt-service.ts';

const operation = operationsOf('prompts');
const listPath = z.object({ org_id: objectId });
// One name for both, because OpenAPI takes paths that differ in a parameter's name alone for the same path.
const promptPath = listPath.extend({ id: objectId.describe('A prompt_id') });
const revisionPath = listPath.extend({ id: objectId.describe('A prompt_revid') });

export const promptRoutes: FastifyPluginAsyncZod<{ services: { prompts: (actor: Actor) => PromptService } }> = async (
  app,
  { services: { prompts } },
) => {
  app.post(
    '/v0/orgs/:org_id/prompts',
    operation({
      operationId: 'createPrompt',
      summary: 'Create a prompt',
      description:
        '`schema_id` is pinned to the revision of `schema_version`, by default to the newest. A prompt applies to the documents that have one of its tags.',
      params: listPath,
      body: createPromptBody.meta({
        examples: [
          { name: 'Invoices', content: 'Extract the fields of this invoice.', schema_id: '6650f1c2a4b3d2e1f0a9b8c7' },
        ],
      }),
      errors: ['model_not_enabled', 'schema_version_without_schema', 'unknown_reference', 'viewer_cannot_write'],
      response: { 201: prompt },
    }),
    async (request, reply) => reply.code(201).send(await prompts(request.actor).create(request.body)),
  );

  app.get(
    '/v0/orgs/:org_id/prompts',
    operation({
      operationId: 'listPrompts',
      summary: 'List prompts in their newest revision, last changed first',
      description:
        '`document_id` selects the prompts that share a tag with the document, `tag_ids` those that have all of the tags, `schema_id` those that use the schema in any version. `newest_schema_version` of a prompt is present if it uses an earlier version.',
      params: listPath,
      querystring: promptListQuery,
      errors: ['unknown_reference'],
      response: { 200: promptList },
    }),
    async (request) => prompts(request.actor).list(request.query),
  );

  app.get(
    '/v0/orgs/:org_id/prompts/:id',
    operation({
      operationId: 'getPrompt',
      summary: 'Get a revision of a prompt',
      description: 'Revisions stay readable when their prompt is deleted.',
      params: revisionPath,
      errors: ['prompt_not_found'],
      response: { 200: prompt },
    }),
    async (request) => prompts(request.actor).get(request.params.id),
  );

  app.put(
    '/v0/orgs/:org_id/prompts/:id',
    operation({
      operationId: 'updatePrompt',
      summary: 'Change a prompt',
      description:
        'Omitted fields stay as they are; null removes `schema_id` or `model`. A change creates a new revision, a rename alone does not.',
      params: promptPath,
      body: updatePromptBody.meta({
        examples: [{ content: 'Extract the fields of this invoice. Amounts are in euros.' }],
      }),
      errors: [
        'model_not_enabled',
        'schema_version_without_schema',
        'unknown_reference',
        'viewer_cannot_write',
        'prompt_not_found',
      ],
      response: { 200: prompt },
    }),
    async (request) => prompts(request.actor).update(request.params.id, request.body),
  );

  app.delete(
    '/v0/orgs/:org_id/prompts/:id',
    operation({
      operationId: 'deletePrompt',
      summary: 'Delete a prompt',
      description: 'Its revisions and their extractions stay readable.',
      params: promptPath,
      errors: ['viewer_cannot_write', 'prompt_not_found'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await prompts(request.actor).delete(request.params.id);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v0/orgs/:org_id/prompts/:id/versions',
    operation({
      operationId: 'listPromptVersions',
      summary: 'List the revisions of a prompt, newest first',
      params: promptPath,
      querystring: pageQuery,
      errors: ['prompt_not_found'],
      response: { 200: promptList },
    }),
    async (request) => prompts(request.actor).versions(request.params.id, request.query),
  );
};
