import { z } from 'zod';
import { executedRound } from './chat/turn-answer.ts';
import { objectId, timestamp } from './common.ts';
import { onAsk } from './write-origin.ts';

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
  schema_revid: z.string().optional(),
  prompt_revid: z.string().optional(),
  /** Present while the run waits for a person's decision in the inbox. */
  waiting: z.literal(true).optional(),
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
