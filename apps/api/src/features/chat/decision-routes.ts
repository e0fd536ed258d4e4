import { emittedEffect, type AgentProfile, type DocumentAgentServices } from '@docwright/agent-core';
import { approveBody, modelFailures, toolList, type ToolEffect } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { ConversationArea } from '../threads/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { answerOrEvents, answerTurn, streaming, turnBodyLimit } from './answer-turn.ts';
import type { ApprovalService } from './decisions/approval-service.ts';

interface DecisionServices {
  approvals: ApprovalService;
  profileOf: (placeId: string) => AgentProfile<DocumentAgentServices>;
  /** Throws `document_not_found` if the document does not belong to the organization. */
  requireDocument: (actor: Actor, placeId: string) => Promise<void>;
}

/** What an agent can do, and decisions on what it wants to do. */
export const decisionRoutes: FastifyPluginAsyncZod<{
  area: ConversationArea;
  services: DecisionServices;
  admission: TurnAdmission;
  streams: StreamAdmission;
}> = async (app, { area, services: { approvals, profileOf, requireDocument }, admission, streams }) => {
  const operation = operationsOf(area.tag);
  const answer = answerTurn({ admission, streams });

  app.get(
    `${area.path}/tools`,
    operation({
      operationId: area.operationId('listChatTools'),
      summary: 'List the tools of the agent',
      description: 'Read-only tools run at once, read-write ones wait for approval.',
      params: area.params,
      errors: [...area.errors],
      response: { 200: toolList },
    }),
    async (request) => {
      const placeId = area.placeOf(request.params);
      await requireDocument(request.actor, placeId);
      return toolListOf(profileOf(placeId));
    },
  );

  app.post(
    `${area.path}/approve`,
    {
      sse: 'manual',
      bodyLimit: turnBodyLimit,
      ...operation({
        operationId: area.operationId('decideTurn'),
        summary: 'Decide on pending calls',
        description: `Runs the approved calls and resumes the same turn. A write call without a decision is rejected. \`remember\` on an approval adds a permission rule that allows the tool from now on, in the thread, on the document or in the organization (admins only: others get 403 and the turn stays pending). Rules are checked again before each call runs: a deny rule overrides an approval. Repeating the same decisions returns the same answer and runs nothing; different decisions are 409 \`already_decided\`. ${streaming}`,
        params: area.params,
        body: approveBody.meta({
          examples: [
            {
              turn_id: '6650f1c2a4b3d2e1f0a9b8c7',
              approvals: [
                { call_id: 'call_1', approved: true, remember: 'thread' },
                { call_id: 'call_2', approved: false, reason: 'Keep the tag.' },
              ],
            },
          ],
        }),
        errors: [
          'remember_needs_approval',
          'remember_needs_waiting_call',
          'unprocessable.decided_twice',
          'admin_required',
          ...area.errors,
          'turn_not_found',
          'already_decided',
          'turn_interrupted',
          'turn_not_waiting',
          'evaluation_stale',
          'turn_superseded',
          'turn_taken_over',
          'turn_expired',
          'answer_does_not_fit',
          'invalid_arguments',
          'invalid_plan',
          'unknown_call',
          'turn_timeout',
          'too_many_streams',
          'too_many_turns',
          ...modelFailures,
        ],
        response: { 200: answerOrEvents },
      }),
    },
    async (request, reply) => {
      const { actor, body } = request;
      const placeId = area.placeOf(request.params);
      const { isRepeated, approve } = await approvals.prepare(actor, placeId, body);
      const admit: typeof admission.run = (...args) =>
        isRepeated ? admission.repeat(...args) : admission.run(...args);
      return await answer(request, reply, body.stream, approve, admit);
    },
  );
};

function toolListOf({ tools }: AgentProfile<DocumentAgentServices>): z.infer<typeof toolList> {
  // Calls of `run_plan` become calls of other tools before anything is decided.
  const decidable = tools.tools.filter(({ runsPlan }) => runsPlan !== true);
  const names = (effect: ToolEffect) =>
    decidable.filter((tool) => emittedEffect(tool.effect) === effect).map(({ name }) => name);
  const isDecidable = (wanted: string) => decidable.some(({ name }) => name === wanted);
  return {
    read_only: names('read_only'),
    read_write: names('read_write'),
    tools: tools.definitions
      .filter(({ function: { name } }) => isDecidable(name))
      .map(({ function: { name, description, parameters } }) => ({
        name,
        description,
        effect: emittedEffect(tools.get(name)?.effect ?? 'write'),
        parameters,
      })),
  };
}
