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
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { inOrderOf, type ApprovalInbox } from './approval-inbox.ts';

const tags = ['approvals'];
const path = '/v0/orgs/:org_id/approvals';
const params = z.object({ org_id: objectId });
const who =
  'Of one’s own chats, and of the runs and schedules that one asked for; admins see those of all runs and schedules, and never somebody’s private chat.';

/** What waits for a decision, over all documents. */
export const approvalRoutes: FastifyPluginAsyncZod<{
  services: { inbox: (actor: Actor) => ApprovalInbox };
  streams: StreamAdmission;
}> = async (app, { services: { inbox }, streams }) => {
  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listApprovals',
        summary: 'List the calls that wait for a decision',
        description: `The first to expire first. ${who} \`group\` is equal for calls of one tool whose arguments differ only in what names the document; \`by=group\` lists one of each with \`group_size\` and the paths that differ, and pages by group.`,
        params,
        querystring: approvalQuery,
        response: { 200: approvalList },
      },
    },
    async (request) => inbox(request.actor).list(request.query),
  );

  app.post(
    `${path}/decide`,
    {
      sse: 'manual',
      bodyLimit: 16 * 1024 * 1024,
      schema: {
        tags,
        operationId: 'decideApprovals',
        summary: 'Decide on calls that wait',
        description:
          'At most 200 at once. Each has an outcome of its own: `decided`, `conflict` (somebody else decided, or what it would change has moved on: the call still waits), `expired`, `forbidden` (beyond one’s own rights), `not_found`, `invalid`. A turn goes on once all calls of its batch are decided; calls of runs in a worker, under the rights of who asked for the run and never with more than the approver’s own. With `stream: true` each outcome is told as it comes.',
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
      },
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
      schema: {
        tags,
        operationId: 'followApprovals',
        summary: 'Follow what waits for a decision (SSE)',
        description: `First \`count\` with \`total_count\` and \`total_groups\`, again whenever they change; then \`added\` with each call that comes and \`removed\` with each that goes, over all processes. ${who}`,
        params,
        errors: ['too_many_streams'],
        response: { 200: { description: 'The events.', content: { 'text/event-stream': { schema: approvalEvent } } } },
      },
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
