import { z } from 'zod';
import { objectId, pageInfo, pageQuery, recordId, timestamp, yesOrNo } from '../base/fields.ts';
import { planStepDecision } from '../chat/plan.ts';
import { callProvenance } from '../chat/provenance.ts';
import { preview, toolEffect } from '../chat/tool-call.ts';

/** A pending call in the inbox. `arguments` is a JSON string, as in the turn. */
export const approval = z.object({
  turn_id: recordId,
  call_id: z.string(),
  tool: z.string(),
  arguments: z.string(),
  effect: toolEffect,
  /** A sentence for users. */
  summary: z.string(),
  preview: preview.optional(),
  ...callProvenance,
  document_id: recordId,
  /** null once the document is deleted. */
  document_name: z.string().nullable(),
  thread_id: recordId,
  /** Present for a call of a run. */
  run_id: recordId.optional(),
  /** The user whose chat or run made the call. */
  requested_by: z.string(),
  waiting_since: timestamp,
  expires_at: timestamp,
  /** Calls of one tool are in one group if their arguments differ only in the fields that name the document. */
  group: z.string(),
  /** The agent's text before the call, shortened. */
  said: z.string().optional(),
  /** With `by=group`: the number of similar calls, and the paths of the arguments that differ. */
  group_size: z.number().int().optional(),
  differs: z.array(z.string()).optional(),
});
export type Approval = z.infer<typeof approval>;

/** With `by=group`, `skip` and `limit` count groups. */
export const approvalQuery = pageQuery.extend({
  tool: z.string().min(1).max(200).optional(),
  document_id: objectId.optional(),
  run_id: objectId.optional(),
  thread_id: objectId.optional(),
  /** Only calls of chats, or only calls of unattended runs, schedules and proposals. */
  from: z.enum(['chats', 'runs']).optional(),
  /** Only calls of the user's own chats and runs. */
  mine: yesOrNo.optional(),
  /** Only the calls of one group. */
  group: z.string().min(1).max(100).optional(),
  by: z.enum(['call', 'group']).default('call'),
});
export type ApprovalQuery = z.infer<typeof approvalQuery>;

export const approvalList = pageInfo.extend({ approvals: z.array(approval), total_groups: z.number().int() });
export type ApprovalList = z.infer<typeof approvalList>;

export const approvalDecision = z.object({
  turn_id: objectId,
  call_id: z.string().min(1).max(200),
  approved: z.boolean(),
  reason: z.string().max(2000).optional(),
  /** Replaces the call's arguments: a JSON string, as in the call. */
  arguments: z.string().max(1_000_000).optional(),
  /** For a plan: steps to remove or to edit. */
  steps: z.array(planStepDecision).max(100).optional(),
  evaluation_id: objectId.optional(),
});
export type ApprovalDecision = z.infer<typeof approvalDecision>;

export const decideApprovalsBody = z.object({
  decisions: z.array(approvalDecision).min(1).max(200),
  /** Streams each outcome as it happens, as server-sent events. */
  stream: z.boolean().default(false),
});

export const approvalOutcome = z.object({
  turn_id: recordId,
  call_id: z.string(),
  status: z.enum(['decided', 'conflict', 'expired', 'forbidden', 'not_found', 'invalid']),
  message: z.string().optional(),
  /** With `conflict`: the user who has decided the call before, if it is known. */
  decided_by: recordId.optional(),
});
export type ApprovalOutcome = z.infer<typeof approvalOutcome>;

export const decideApprovalsAnswer = z.object({ outcomes: z.array(approvalOutcome) });
export type DecideApprovalsAnswer = z.infer<typeof decideApprovalsAnswer>;

/** The frames of `POST …/approvals/decide` with `stream: true`. */
export const decideApprovalsEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('outcome'),
    outcome: approvalOutcome,
    decided: z.number().int(),
    total: z.number().int(),
  }),
  z.object({ type: z.literal('done'), outcomes: z.array(approvalOutcome) }),
]);
export type DecideApprovalsEvent = z.infer<typeof decideApprovalsEvent>;

/** The frames of `GET …/approvals/events`: `count` first and after each change, then each added or removed call. */
export const approvalEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('count'), total_count: z.number().int(), total_groups: z.number().int() }),
  z.object({ type: z.literal('added'), approval }),
  z.object({ type: z.literal('removed'), turn_id: recordId, call_id: z.string() }),
]);
export type ApprovalEvent = z.infer<typeof approvalEvent>;
