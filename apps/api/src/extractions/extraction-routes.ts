import {
  DomainError,
  extraction,
  extractionList,
  objectId,
  pageQuery,
  patchExtractionBody,
  runExtractionBody,
  verificationBody,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/actor.ts';
import type { ExtractionService } from './extraction-service.ts';

const tags = ['extractions'];
const documentPath = z.object({ org_id: objectId, document_id: objectId });
const extractionPath = documentPath.extend({ prompt_revid: objectId });

export const extractionRoutes: FastifyPluginAsyncZod<{
  services: { extractions: (actor: Actor) => ExtractionService };
}> = async (app, { services: { extractions } }) => {
  app.post(
    '/v0/orgs/:org_id/documents/:document_id/extractions',
    {
      schema: {
        tags,
        summary: 'Extract',
        description:
          'Without `prompt_revid`: the newest prompt that shares a tag with the document, else the newest made for it in its chat, else 400 `no_prompt`. An answer that does not fit the schema goes back to the model once; what still does not fit is in `validation_errors`. A failed run (502) leaves the former result.',
        params: documentPath,
        body: runExtractionBody.nullish(),
        response: { 201: extraction },
      },
    },
    async (request, reply) => {
      const { document_id } = request.params;
      const run = extractions(request.actor).run(document_id, request.body?.prompt_revid, undefined, app.closing);
      const result = await run.catch((error: unknown) => {
        if (!app.closing.aborted) throw error;
        throw new DomainError(
          'not_ready',
          'server_stopping',
          'The server is stopping. Run the extraction again shortly.',
        );
      });
      return reply.code(201).send(result);
    },
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/extractions',
    {
      schema: {
        tags,
        summary: 'The results of a document, the last changed first',
        params: documentPath,
        querystring: pageQuery,
        response: { 200: extractionList },
      },
    },
    async (request) => extractions(request.actor).list(request.params.document_id, request.query),
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid',
    { schema: { tags, summary: 'One result', params: extractionPath, response: { 200: extraction } } },
    async (request) => extractions(request.actor).get(request.params.document_id, request.params.prompt_revid),
  );

  app.patch(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid',
    {
      schema: {
        tags,
        summary: 'Set one field',
        description:
          '`path` is dotted with indexes (`line_items.0.amount`); the index after the last appends. 400 `invalid_value` where the schema refuses it, 409 `version_conflict` where `base_version` is not the current one. The result is no longer verified.',
        params: extractionPath,
        body: patchExtractionBody,
        response: { 200: extraction },
      },
    },
    async (request) => {
      const { document_id, prompt_revid } = request.params;
      const { path, value, base_version } = request.body;
      return await extractions(request.actor).updateField(document_id, prompt_revid, { path, value, base_version });
    },
  );

  app.put(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/verification',
    {
      schema: {
        tags,
        summary: 'Mark a result as verified, or no longer',
        params: extractionPath,
        body: verificationBody,
        response: { 200: extraction },
      },
    },
    async (request) => {
      const { document_id, prompt_revid } = request.params;
      return await extractions(request.actor).setVerified(document_id, prompt_revid, request.body.is_verified);
    },
  );
};
