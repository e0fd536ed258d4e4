import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import { acceptedLanguage } from '../../platform/http/accepted-language.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { AgentConversationService } from './conversation-service.ts';
import type { AgentMessageService } from './message-service.ts';

interface PipelineAgentRouteOptions {
  services: {
    agentConversations: (actor: Actor) => AgentConversationService;
    agentMessages: AgentMessageService;
  };
  admission: TurnAdmission;
  streams: StreamAdmission;
}

/** Conversations with the agent that builds pipelines; each belongs to the user who started it. */
export const pipelineAgentRoutes: FastifyPluginAsync<PipelineAgentRouteOptions> = async (
  app,
  { services: { agentConversations, agentMessages }, admission, streams },
) => {
  const route = routesOf(app);
  route('POST /api/v2/agent/conversations', ({ actor, body }) => agentConversations(actor).create(body));
  route('GET /api/v2/agent/conversations', ({ actor, query }) => agentConversations(actor).list(query));
  route('GET /api/v2/agent/conversations/:conversation_id', ({ actor, params }) =>
    agentConversations(actor).get(params.conversation_id),
  );
  route('PATCH /api/v2/agent/conversations/:conversation_id', ({ actor, params }) =>
    agentConversations(actor).abandon(params.conversation_id),
  );
  route('POST /api/v2/agent/conversations/:conversation_id/stop', ({ actor, params }) =>
    agentConversations(actor).stop(params.conversation_id),
  );
  route('PATCH /api/v2/agent/conversations/:conversation_id/uncertainties/:uncertainty_id', ({ actor, params, body }) =>
    agentConversations(actor).resolve(params.conversation_id, params.uncertainty_id, body.resolved_by),
  );
  route('POST /api/v2/agent/conversations/:conversation_id/apply', ({ actor, params, body }) =>
    agentConversations(actor).apply(params.conversation_id, body),
  );

  route('POST /api/v2/agent/conversations/:conversation_id/messages', { sse: 'manual' }, async (request, reply) => {
    const start = () =>
      agentMessages.send(request.actor, request.params.conversation_id, {
        ...request.body,
        ...acceptedLanguage(request),
      });
    if (wantsJson(request.headers.accept)) return await (await admission.run(request, reply, start)).answer;
    const closing = streams.stream(request, reply);
    const { events } = await admission.run(request, reply, start);
    await sendEvents(reply, closing, (signal) => events.subscribe(signal));
    return undefined;
  });
};

function wantsJson(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('application/json') && !accept.includes('text/event-stream');
}
