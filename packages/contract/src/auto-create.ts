import { z } from 'zod';
import { executedRound } from './chat/turn-answer.ts';
import { objectId, pageInfo, recordId, timestamp } from './base/common.ts';
import { incompleteResults } from './extractions/extractions.ts';
import { artifactName } from './schemas.ts';
import { tagColor } from './tags.ts';
import { onAsk } from './base/write-origin.ts';

/**
 * `running` from when a run is queued to its end; `proposed` until a person has accepted or rejected; `failed` until
 * someone asks again.
 */
export const autoCreateStatus = z.enum(['running', 'proposed', 'accepted', 'rejected', 'failed']);
export type AutoCreateStatus = z.infer<typeof autoCreateStatus>;

/**
 * What the run did, in order, to be replayed: its rounds as in a turn's answer, the last of them with the closing text and
 * no calls. Bounded: long texts, arguments and results are shortened and say so where they are.
 */
export const agentLog = z.array(executedRound);
export type AgentLog = z.infer<typeof agentLog>;

/** An unattended run's proposal for a document, and its state. Absent if none was ever requested. */
export const autoCreate = z.object({
  status: autoCreateStatus,
  /** The revisions that the proposal's extraction was made with. A prompt without a schema has no `schema_revid`. */
  schema_revid: recordId.optional(),
  prompt_revid: recordId.optional(),
  /** Present while the run waits for a person's decision in the inbox. */
  waiting: z.literal(true).optional(),
  /** The kind of document that it is of, in the list of proposals. */
  proposal_id: recordId.optional(),
  /** Present where the run created nothing, because a prompt of the document's kind was there. */
  reuses: z
    .object({
      prompt_revid: recordId,
      schema_revid: recordId.optional(),
      /** False where the prompt waits for a review itself. */
      accepted: z.boolean(),
    })
    .optional(),
  /** When the run finished. */
  done_at: timestamp.optional(),
  /** Why it failed. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  /** Of the last finished run. Returned with a single document, omitted in lists. */
  agent_log: agentLog.optional(),
});
export type AutoCreate = z.infer<typeof autoCreate>;

export const startAutoCreateBody = z.object({
  /** What becomes of a call that would have to ask; the organization's `auto_create_on_ask` if absent. */
  on_ask: onAsk.optional(),
});
export type StartAutoCreateBody = z.infer<typeof startAutoCreateBody>;

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
  /** The largest risk, from 0 to 1, among its values; absent until they are judged, soon after they were extracted. */
  risk: z.number().optional(),
  /** How many of its values are worth a look; with `risk`. */
  to_check: z.number().int().optional(),
  incomplete_results: incompleteResults.optional(),
  /** By path; of a list how many rows it has. What was not found is left out. Present where one proposal is read. */
  values: z.record(z.string(), proposedValue).optional(),
  /** Paths of fields that hold a value to check; with `values`. */
  paths_to_check: z.array(z.string()).optional(),
});

/** Documents of one kind that wait for a decision, with what would be accepted for them. */
export const proposal = z.object({
  /** The id of its prompt. */
  id: recordId,
  /** What the documents are, without who issued them: `Invoice`. */
  kind: z.string(),
  /** `Invoice, Contoso`. */
  name: z.string(),
  /** The newest revisions. A prompt without a schema has no `schema_revid`. */
  schema_revid: recordId.optional(),
  prompt_revid: recordId,
  /** True where the prompt was accepted before: accepting creates nothing new. */
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

export const proposalList = pageInfo.extend({ proposals: z.array(proposal) });

/** Documents of one decision. */
export const maxDecidedDocuments = 10_000;
const decidedDocuments = z.array(objectId).min(1).max(maxDecidedDocuments);

export const acceptKindBody = z
  .strictObject({
    tag_id: objectId.optional(),
    /** Created for it; a tag that has the name already is used. */
    new_tag: z.strictObject({ name: artifactName, color: tagColor.optional() }).optional(),
    /** The others stay. All that wait where it is left out. */
    document_ids: decidedDocuments.optional(),
  })
  .refine(({ tag_id, new_tag }) => tag_id === undefined || new_tag === undefined, {
    message: 'Give tag_id or new_tag, not both.',
  });
export type AcceptKindBody = z.infer<typeof acceptKindBody>;
export const rejectKindBody = z.strictObject({ document_ids: decidedDocuments.optional() });
export type RejectKindBody = z.infer<typeof rejectKindBody>;

/** What a decision on a kind came to. The same decision again decides on nothing more. */
export const kindDecision = z.object({
  id: recordId,
  status: z.enum(['accepted', 'rejected']),
  /** Decided by this request. */
  document_ids: z.array(z.string()),
  /** Documents of the kind that still wait. */
  left: z.number().int(),
  tag_id: recordId.optional(),
  /** Of the audit log, by which the decision is undone within 30 days; absent where it decided on nothing. */
  entry_id: recordId.optional(),
});
export type KindDecision = z.infer<typeof kindDecision>;
