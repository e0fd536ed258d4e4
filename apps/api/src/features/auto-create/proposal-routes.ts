import {
  acceptKindBody,
  kindDecision,
  objectId,
  pageQuery,
  proposal,
  proposalList,
  rejectKindBody,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { ProposalService } from './proposal-service.ts';

const operation = operationsOf('auto-create');
const listPath = z.object({ org_id: objectId });
const path = listPath.extend({ proposal_id: objectId });
const url = '/v0/orgs/:org_id/proposals';

export const proposalRoutes: FastifyPluginAsyncZod<{
  services: { proposals: (actor: Actor) => ProposalService };
}> = async (app, { services: { proposals } }) => {
  app.get(
    url,
    operation({
      operationId: 'listProposals',
      summary: 'List pending proposals by kind of document',
      description:
        'Documents that were read with one prompt are of one kind. Kinds with the most documents come first; `found` and `found_in` count the fields that have a value. Only a single proposal includes the values.',
      params: listPath,
      querystring: pageQuery,
      response: { 200: proposalList },
    }),
    async (request) => ({ ...(await proposals(request.actor).list(request.query)), ...request.query }),
  );

  app.get(
    `${url}/:proposal_id`,
    operation({
      operationId: 'getProposal',
      summary: 'Get a proposal with the values of every document',
      description: '404 once all of its documents are decided.',
      params: path,
      errors: ['proposal_not_found'],
      response: { 200: proposal },
    }),
    async (request) => proposals(request.actor).get(request.params.proposal_id),
  );

  app.post(
    `${url}/:proposal_id/accept`,
    operation({
      operationId: 'acceptProposalOfKind',
      summary: 'Accept a proposal for all or some of its documents',
      description:
        'The prompt and its schema become regular ones, and a tag is set on the documents and on the prompt. Other documents stay pending. Repeating the request returns the same answer and decides nothing more. The next document of the kind reuses the prompt and gets the tag.',
      params: path,
      body: acceptKindBody.nullish(),
      errors: ['unknown_reference', 'viewer_cannot_write', 'proposal_not_found', 'tag_name_taken'],
      response: { 200: kindDecision },
    }),
    async (request) => proposals(request.actor).accept(request.params.proposal_id, request.body ?? {}),
  );

  app.post(
    `${url}/:proposal_id/reject`,
    operation({
      operationId: 'rejectProposalOfKind',
      summary: 'Reject a proposal for all or some of its documents',
      description:
        'Removes the extractions, and with the last document the schema and the prompt, unless they were accepted before or another prompt uses the schema. Results that users have verified are removed only with `including_verified: true`: 409 `proposal_verified` names their documents.',
      params: path,
      body: rejectKindBody.nullish(),
      errors: ['unknown_reference', 'viewer_cannot_write', 'proposal_not_found', 'proposal_verified'],
      response: { 200: kindDecision },
    }),
    async (request) => proposals(request.actor).reject(request.params.proposal_id, request.body ?? {}),
  );
};
