import { describeOperations } from '../base/describe-operations.ts';
import { pageQuery } from '../base/fields.ts';
import {
  acceptKindBody,
  acceptProposalBody,
  kindDecision,
  proposal,
  proposalList,
  rejectKindBody,
  rejectProposalBody,
  startAutoCreateBody,
} from './auto-create.ts';
import { document } from './documents.ts';

export const autoCreateOperations = describeOperations('auto-create', {
  'POST /v0/orgs/:org_id/documents/:document_id/auto_create': {
    operationId: 'startAutoCreate',
    summary: 'Propose a schema, a prompt and an extraction for a document',
    description:
      'Queues an unattended run of the document agent. All tools are allowed except by deny rules. A call that needs approval is denied, or waits in the inbox with `on_ask: "park"` (default: the organization’s `auto_create_on_ask`); `auto_create.waiting` is set meanwhile. The run ends after `HEADLESS_TIMEOUT_SECONDS`. `auto_create.status` is `running`, then `proposed` or `failed`; follow it with the document’s events. A pending proposal is rejected first; a result of it that a user has verified needs `including_verified: true` (409 `proposal_verified`).',
    body: startAutoCreateBody.nullish(),
    errors: [
      'viewer_cannot_write',
      'document_not_found',
      'auto_create_running',
      'proposal_pending',
      'document_has_no_text',
      'proposal_verified',
      'document_not_read_yet',
    ],
    response: { 202: document },
  },
  'POST /v0/orgs/:org_id/documents/:document_id/auto_create/accept': {
    operationId: 'acceptProposal',
    summary: 'Accept the proposal of a document',
    description:
      'The prompt becomes a regular one. A `tag_id` is set on the document and, as a new revision, on the prompt, which then applies to every document with that tag.',
    body: acceptProposalBody.nullish(),
    errors: ['unknown_reference', 'viewer_cannot_write', 'document_not_found', 'not_proposed'],
    response: { 200: document },
  },
  'POST /v0/orgs/:org_id/documents/:document_id/auto_create/reject': {
    operationId: 'rejectProposal',
    summary: 'Reject the proposal of a document',
    description:
      'Removes the schema, the prompt and the extraction of the proposal, including later refinements. A schema that another prompt uses stays. A result that a user has verified is removed only with `including_verified: true` (409 `proposal_verified`).',
    body: rejectProposalBody.nullish(),
    errors: ['viewer_cannot_write', 'document_not_found', 'not_proposed', 'proposal_verified'],
    response: { 200: document },
  },
  'GET /v0/orgs/:org_id/proposals': {
    operationId: 'listProposals',
    summary: 'List pending proposals by kind of document',
    description:
      'Documents that were read with one prompt are of one kind. Kinds with the most documents come first; `found` and `found_in` count the fields that have a value. Only a single proposal includes the values.',
    querystring: pageQuery,
    response: { 200: proposalList },
  },
  'GET /v0/orgs/:org_id/proposals/:proposal_id': {
    operationId: 'getProposal',
    summary: 'Get a proposal with the values of every document',
    description: '404 once all of its documents are decided.',
    errors: ['proposal_not_found'],
    response: { 200: proposal },
  },
  'POST /v0/orgs/:org_id/proposals/:proposal_id/accept': {
    operationId: 'acceptProposalOfKind',
    summary: 'Accept a proposal for all or some of its documents',
    description:
      'The prompt and its schema become regular ones, and a tag is set on the documents and on the prompt. Other documents stay pending. Repeating the request returns the same answer and decides nothing more. The next document of the kind reuses the prompt and gets the tag.',
    body: acceptKindBody.nullish(),
    errors: ['unknown_reference', 'viewer_cannot_write', 'proposal_not_found', 'tag_name_taken'],
    response: { 200: kindDecision },
  },
  'POST /v0/orgs/:org_id/proposals/:proposal_id/reject': {
    operationId: 'rejectProposalOfKind',
    summary: 'Reject a proposal for all or some of its documents',
    description:
      'Removes the extractions, and with the last document the schema and the prompt, unless they were accepted before or another prompt uses the schema. Results that users have verified are removed only with `including_verified: true`: 409 `proposal_verified` names their documents.',
    body: rejectKindBody.nullish(),
    errors: ['unknown_reference', 'viewer_cannot_write', 'proposal_not_found', 'proposal_verified'],
    response: { 200: kindDecision },
  },
});
