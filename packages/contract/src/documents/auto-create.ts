import { z } from 'zod';
import { artifactName, objectId, pageInfo, recordId, timestamp } from '../base/fields.ts';
import { onAsk } from '../base/write-origin.ts';
import { executedRound } from '../chat/turn-answer.ts';
import { incompleteResults } from '../extractions/extractions.ts';
import { tagColor } from './tags.ts';

/**
 * `running` until the run ends; `proposed` until a user accepts or rejects the proposal; `failed` until a proposal is
 * requested again.
 */
export const autoCreateStatus = z.enum(['running', 'proposed', 'accepted', 'rejected', 'failed']);
export type AutoCreateStatus = z.infer<typeof autoCreateStatus>;

/**
 * The rounds of the run in order, for a replay. They have the form of a turn's answer; the last one has the closing text and
 * no calls. Long texts, arguments and results are shortened, with a note at the cut.
 */
export const agentLog = z.array(executedRound);
export type AgentLog = z.infer<typeof agentLog>;

/** An unattended run's proposal for a document, and its state. Absent if none was ever requested. */
export const autoCreate = z.object({
  status: autoCreateStatus,
  /** The revisions that the proposal's extraction was made with. A prompt without a schema has no `schema_revid`. */
  schema_revid: recordId.optional(),
  prompt_revid: recordId.optional(),
  /** Present while the run waits for a decision in the inbox. */
  waiting: z.literal(true).optional(),
  /** The document's kind in the list of proposals. */
  proposal_id: recordId.optional(),
  /** Present if the run created nothing, because a prompt for the document's kind already existed. */
  reuses: z
    .object({
      prompt_revid: recordId,
      schema_revid: recordId.optional(),
      /** False if the prompt itself is not accepted yet. */
      accepted: z.boolean(),
    })
    .optional(),
  /** When the run finished. */
  done_at: timestamp.optional(),
  /** Why it failed. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  /** Belongs to the last finished run. Returned with a single document, omitted in lists. */
  agent_log: agentLog.optional(),
});
export type AutoCreate = z.infer<typeof autoCreate>;

/** The rejection of a proposal also removes results that users have verified. */
const including_verified = z.boolean().optional();

export const startAutoCreateBody = z.object({
  /** What happens to a call that needs approval. Default: the organization's `auto_create_on_ask`. */
  on_ask: onAsk.optional(),
  including_verified,
});
export type StartAutoCreateBody = z.infer<typeof startAutoCreateBody>;

export const rejectProposalBody = z.strictObject({ including_verified });
export type RejectProposalBody = z.infer<typeof rejectProposalBody>;

export const acceptProposalBody = z.object({
  /** Set on the document and on the prompt, which then applies to every document with this tag. */
  tag_id: objectId.optional(),
});
export type AcceptProposalBody = z.infer<typeof acceptProposalBody>;

const proposedValue = z.union([z.string(), z.number(), z.boolean()]);

/** One document of a proposal: how many of the kind's fields were found on it. */
export const proposedDocument = z.object({
  document_id: recordId,
  document_name: z.string(),
  found: z.number().int(),
  of: z.number().int(),
  /** The largest risk of its values, 0 to 1. Absent until risks are computed, shortly after the extraction. */
  risk: z.number().optional(),
  /** Number of values to review. Present together with `risk`. */
  to_check: z.number().int().optional(),
  incomplete_results: incompleteResults.optional(),
  /** Values by path; a list has its number of rows. Missing values are omitted. Returned with a single proposal. */
  values: z.record(z.string(), proposedValue).optional(),
  /** Paths of fields with a value to review. Present together with `values`. */
  paths_to_check: z.array(z.string()).optional(),
});

/** The pending documents of one kind, with the prompt and schema that an acceptance applies to them. */
export const proposal = z.object({
  /** The id of its prompt. */
  id: recordId,
  /** What a person would call the documents, without a number: `Invoice`. */
  kind: z.string(),
  /** The name of its prompt: `Invoice`, or `Invoice 2` if another one has that name. */
  name: z.string(),
  /** The newest revisions. A prompt without a schema has no `schema_revid`. */
  schema_revid: recordId.optional(),
  prompt_revid: recordId,
  /** Whether the prompt was accepted before. Accepting then creates nothing new. */
  accepted: z.boolean(),
  /** The tags of the prompt. */
  tag_ids: z.array(z.string()),
  /** The first five hundred of `document_count`. */
  documents: z.array(proposedDocument),
  document_count: z.number().int(),
  fields: z.array(z.object({ path: z.string(), title: z.string(), found_in: z.number().int() })),
  created_at: timestamp,
});
export type Proposal = z.infer<typeof proposal>;
export type ProposedDocument = z.infer<typeof proposedDocument>;

export const proposalList = pageInfo.extend({
  proposals: z.array(proposal),
  /** Pending documents of all kinds, on this page or another. */
  document_count: z.number().int(),
});

/** Maximum number of documents in one decision. */
export const maxDecidedDocuments = 10_000;
const decidedDocuments = z.array(objectId).min(1).max(maxDecidedDocuments);

export const acceptKindBody = z
  .strictObject({
    tag_id: objectId.optional(),
    /** An existing tag with this name is used, otherwise one is created. */
    new_tag: z.strictObject({ name: artifactName, color: tagColor.optional() }).optional(),
    /** Default: all pending documents. Documents that are not named stay pending. */
    document_ids: decidedDocuments.optional(),
  })
  .refine(({ tag_id, new_tag }) => tag_id === undefined || new_tag === undefined, {
    message: 'Give tag_id or new_tag, not both.',
  });
export type AcceptKindBody = z.infer<typeof acceptKindBody>;
export const rejectKindBody = z.strictObject({ document_ids: decidedDocuments.optional(), including_verified });
export type RejectKindBody = z.infer<typeof rejectKindBody>;

/** The result of a decision on a kind. Repeating the decision has no effect. */
export const kindDecision = z.object({
  id: recordId,
  status: z.enum(['accepted', 'rejected']),
  /** Decided by this request. */
  document_ids: z.array(z.string()),
  /** Documents of the kind that are still pending. */
  left: z.number().int(),
  tag_id: recordId.optional(),
  /** The entry of the audit log that can undo the decision for 30 days. Absent if no document was decided. */
  entry_id: recordId.optional(),
});
export type KindDecision = z.infer<typeof kindDecision>;
