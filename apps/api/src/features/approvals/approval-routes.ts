import {
  approvalEvent,
  approvalList,
  approvalQuery,
  decideApprovalsAnswer,
  decideApprovalsBody,
  objectId,
  type ApprovalDecision,
  type ApprovalOutcome,
  type DecideApprovalsEvent,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { inOrderOf, type ApprovalInbox } from './approval-inbox.ts';

const operation = operationsOf('approvals');
const path = '/v0/orgs/:org_id/approvals';
const params = z.object({ org_id: objectId });
const visibility =
  'Includes calls of the caller’s own chats, runs and schedules. Admins see the calls of all runs and schedules, but never those of another user’s chat.';

/** The inbox of pending approvals, across all documents. */
export const approvalRoutes: FastifyPluginAsyncZod<{
  services: { inbox: (actor: Actor) => ApprovalInbox };
  streams: StreamAdmission;
}> = async (app, { services: { inbox }, streams }) => {
  app.get(
    path,
    operation({
      operationId: 'listApprovals',
      summary: 'List pending approvals',
      description: `Ordered by expiry. ${visibility} \`group\` is equal for calls of one tool whose arguments differ only in the document they name; \`by=group\` lists one call per group with \`group_size\` and the paths that differ, and pages by group.`,
      params,
      querystring: approvalQuery,
      response: { 200: approvalList },
    }),
    async (request) => inbox(request.actor).list(request.query),
  );

  app.post(
    `${path}/decide`,
    {
      sse: 'manual',
      bodyLimit: 16 * 1024 * 1024,
      ...operation({
        operationId: 'decideApprovals',
        summary: 'Decide pending approvals',
        description:
          'At most 200 at once. Each has its own outcome: `decided`, `conflict` (another user decided, or the object has changed since the proposal and the call stays pending), `expired`, `forbidden` (beyond the caller’s rights), `not_found`, `invalid`. A turn resumes once all calls of its batch are decided. Calls of runs are executed by a worker with the lesser of the rights of the approver and of the user who started the run. With `stream: true` each outcome is sent as it arrives.',
        params,
        body: decideApprovalsBody.meta({
          examples: [
            {
              decisions: [{ turn_id: '6650f1c2a4b3d2e1f0a9b8c7', call_id: 'b0f1c2a4b3d2e1f0a9b8c755', approved: true }],
            },
          ],
        }),
        errors: ['too_many_streams'],
        response: { 200: decideApprovalsAnswer },
      }),
    },
    async (request, reply) => {
      const { decisions, stream } = request.body;
      const deciding = inbox(request.actor).decide(decisions);
      if (!stream) {
        const outcomes: ApprovalOutcome[] = [];
        for await (const outcome of deciding) outcomes.push(outcome);
        return { outcomes: inOrderOf(decisions, outcomes) };
      }
      await sendEvents(reply, streams.stream(request, reply), () => progressOf(deciding, decisions));
      return undefined;
    },
  );

  app.get(
    `${path}/events`,
    {
      sse: 'manual',
      ...operation({
        operationId: 'followApprovals',
        summary: 'Follow pending approvals (SSE)',
        description: `First \`count\` with \`total_count\` and \`total_groups\`, again whenever they change; then \`added\` and \`removed\` for each call, whichever process changes it. ${visibility}`,
        params,
        errors: ['too_many_streams'],
        response: { 200: { description: 'The events.', content: { 'text/event-stream': { schema: approvalEvent } } } },
      }),
    },
    async (request, reply) => {
      await sendEvents(reply, streams.stream(request, reply), (signal) => inbox(request.actor).events(signal));
    },
  );
};

async function* progressOf(
  deciding: AsyncGenerator<ApprovalOutcome>,
  decisions: readonly ApprovalDecision[],
): AsyncGenerator<DecideApprovalsEvent> {
  const outcomes: ApprovalOutcome[] = [];
  for await (const outcome of deciding) {
    outcomes.push(outcome);
    yield { type: 'outcome', outcome, decided: outcomes.length, total: decisions.length };
  }
  yield { type: 'done', outcomes: inOrderOf(decisions, outcomes) };
}
