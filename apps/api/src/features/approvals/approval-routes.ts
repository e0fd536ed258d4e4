import type { FastifyPluginAsync } from 'fastify';
import type { ApprovalDecision, ApprovalOutcome, DecideApprovalsEvent } from '@docwright/contract';
import { routesOf } from '../../platform/http/route.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { inOrderOf, type ApprovalInbox } from './approval-inbox.ts';

/** The inbox of pending approvals, across all documents. */
export const approvalRoutes: FastifyPluginAsync<{
  services: { inbox: (actor: Actor) => ApprovalInbox };
  streams: StreamAdmission;
}> = async (app, { services: { inbox }, streams }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/approvals', ({ actor, query }) => inbox(actor).list(query));

  route(
    'POST /v0/orgs/:org_id/approvals/decide',
    { sse: 'manual', bodyLimit: 16 * 1024 * 1024 },
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

  route('GET /v0/orgs/:org_id/approvals/events', { sse: 'manual' }, async (request, reply) => {
    await sendEvents(reply, streams.stream(request, reply), (signal) => inbox(request.actor).events(signal));
  });
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
