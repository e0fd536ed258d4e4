import { objectId, splitAnswer, splitBody, splitProposal } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../../platform/http/operation.ts';
import type { Actor } from '../../identity/index.ts';
import type { SplitService } from './split-service.ts';

const operation = operationsOf('documents');
const documentPath = z.object({ org_id: objectId, document_id: objectId });

/** Splits a file that contains several documents. */
export const splitRoutes: FastifyPluginAsyncZod<{
  services: { splitting: (actor: Actor) => SplitService };
}> = async (app, { services: { splitting } }) => {
  app.post(
    '/v0/orgs/:org_id/documents/:document_id/split',
    operation({
      operationId: 'splitDocument',
      summary: 'Split a PDF into documents',
      description:
        'The original stays. Each new document has `split_from`; text, words and boxes are copied, so nothing is recognised again. Pages in several parts or in none are allowed and listed in the answer.',
      params: documentPath,
      body: splitBody,
      errors: [
        'cannot_split',
        'pages_out_of_range',
        'unknown_reference',
        'viewer_cannot_write',
        'document_not_found',
        'document_not_read_yet',
        'document_has_no_text',
      ],
      response: { 201: splitAnswer },
    }),
    async (request, reply) => {
      const answer = await splitting(request.actor).split(request.params.document_id, request.body.parts);
      return reply.code(201).send(answer);
    },
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/split',
    operation({
      operationId: 'proposeSplit',
      summary: 'Propose how to split a PDF into documents',
      description:
        'Uses page numbering, letterheads, titles and document numbers; it asks no model and writes nothing. Each part has the reason why it starts there, and a probability.',
      params: documentPath,
      errors: ['cannot_split', 'document_not_found', 'document_not_read_yet', 'document_has_no_text'],
      response: { 200: splitProposal },
    }),
    async (request) => await splitting(request.actor).propose(request.params.document_id),
  );
};
