import {
  describeFailure,
  type AgentProfile,
  type PipelineAgentServices,
  type RecordCalls,
  type TurnOwner,
  type TurnResult,
} from '@docwright/agent-core';
import {
  DomainError,
  type AgentMessageAnswer,
  type AgentMessageEvent,
  type ListedAgentConversation,
} from '@docwright/contract';
import { newId } from '../db/object-id.ts';
import type { Actor } from '../identity/actor.ts';
import type { LlmFor } from '../llm/llm-services.ts';
import type { createAgentPermissions } from './agent-permissions.ts';
import { pipelineAgentServicesFor, type AgentServiceDependencies } from './agent-services.ts';
import { foundConversation, requireActive, requireApplicable } from './conversation-service.ts';
import type { ConversationHold } from './conversation-repository.ts';
import { takeConversation } from './held-conversation.ts';
import { createMessageEvents, type MessageEvents } from './message-events.ts';
import { runMessageTurn } from './message-turn.ts';
import { summaryWith } from './summary.ts';

export interface MessageServiceDependencies extends AgentServiceDependencies {
  profile: AgentProfile<PipelineAgentServices>;
  llmFor: LlmFor;
  permissionsFor: ReturnType<typeof createAgentPermissions>;
  recordCallsOf: (owner: TurnOwner, turn: { turnId: string; threadId: string }) => RecordCalls;
  chooseModel: (actor: Actor) => Promise<string>;
  log: { error(fields: object, message: string): void };
}

/** Messages to the pipeline agent. */
export interface AgentMessageService {
  /**
   * Stores the message and lets the agent answer it, whether or not anybody waits. Throws `conversation_not_found`,
   * `conversation_not_active` and `message_running`.
   */
  say(
    actor: Actor,
    conversationId: string,
    message: string,
  ): Promise<{ events: MessageEvents; answer: Promise<AgentMessageAnswer> }>;
  /** Ends what runs, so that it is stored before the database goes. */
  stop(): Promise<void>;
}

interface Answering {
  actor: Actor;
  hold: ConversationHold;
  message: string;
  say: (event: AgentMessageEvent) => void;
  signal: AbortSignal;
}

export function createAgentMessageService(dependencies: MessageServiceDependencies): AgentMessageService {
  const { conversations, profile, llmFor, permissionsFor, recordCallsOf, chooseModel, log } = dependencies;
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function answer({ actor, hold, message, say, signal }: Answering): Promise<AgentMessageAnswer> {
    const { id } = hold;
    const { organizationId, userId } = actor;
    const current = async () => foundConversation(await conversations.get(actor, id));
    const before = await current();
    requireActive(before);
    const earlier = await conversations.messages(id);
    await conversations.addMessage(hold, { role: 'user', content: message, tool_calls: [] });
    const turnId = newId();
    const owner = { organizationId, userId, documentId: '' };
    const summary = earlier.length === 0 ? before.summary : null;
    const llm = llmFor({ organizationId, userId, threadId: id });
    const model = await chooseModel(actor);
    const decide = permissionsFor(actor, id, async () => requireApplicable(await current(), false));
    const callsOf = (turn: string) => recordCallsOf(owner, { turnId: turn, threadId: id });
    const subAgent = { llm, model, owner, threadId: id, decide, recordCallsOf: callsOf, newTurnId: newId };
    const { result, tool_calls } = await runMessageTurn({
      profile,
      llm,
      model,
      services: pipelineAgentServicesFor(dependencies, { actor, hold, summary, say, model: subAgent }),
      decide,
      recordCalls: callsOf(turnId),
      owner,
      turnId,
      threadId: id,
      earlier,
      message,
      signal,
      say,
    });
    const text = wordsOf(result, say);
    await conversations.addMessage(hold, { role: 'assistant', content: text, tool_calls });
    await conversations.change(hold, { summary: summaryWith(before.summary, message, text) });
    requireAnswered(result);
    return answerOf(await current(), text, tool_calls);
  }

  async function answerHeld(turn: Answering, release: () => Promise<void>): Promise<AgentMessageAnswer> {
    try {
      const result = await answer(turn);
      // Whoever reads `done` may send the next message at once.
      await release();
      turn.say({ type: 'done', result });
      return result;
    } catch (error) {
      if (!(error instanceof DomainError)) log.error({ err: error, conversation_id: turn.hold.id }, 'a message failed');
      await release();
      turn.say({ type: 'error', ...describeFailure(error) });
      throw error;
    }
  }

  return {
    async say(actor, conversationId, message) {
      requireActive(foundConversation(await conversations.get(actor, conversationId)));
      const { hold, signal, release } = await takeConversation(conversations, conversationId);
      const events = createMessageEvents();
      const turn = { actor, hold, message, say: events.say, signal: AbortSignal.any([signal, stopping.signal]) };
      const answering = answerHeld(turn, release);
      // Whoever waits for it gets the rejection itself.
      const finished = answering.catch(() => undefined).finally(() => running.delete(finished));
      running.add(finished);
      return { events, answer: answering };
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

function answerOf(
  { uncertainties, current_pipeline, status }: ListedAgentConversation,
  text: string,
  tool_calls: AgentMessageAnswer['tool_calls'],
): AgentMessageAnswer {
  return { text, tool_calls, uncertainties, current_pipeline, status };
}

/** What is kept as the agent's answer, never empty. Where it waits for the person, that is said as a question. */
function wordsOf(result: TurnResult, say: Answering['say']): string {
  const text = result.text.trim();
  if ('pending' in result) {
    const call = result.pending.batch.calls.find(
      ({ name, needs_approval }) => name === 'apply_pipeline' && needs_approval,
    );
    const { collection_name } = JSON.parse(call?.arguments ?? '{}') as { collection_name: string };
    const message = `Shall the pipeline be applied as the collection “${collection_name}”? Apply it, or tell me what to change.`;
    say({ type: 'question', question: 'apply_pipeline', message, collection_name });
    return text === '' ? message : `${text}\n\n${message}`;
  }
  if (result.status === 'completed') return text === '' ? 'Done.' : text;
  const why =
    result.status === 'max_rounds'
      ? 'This took more steps than I may take at once. What I did until then stays; tell me to go on.'
      : 'I was interrupted before I could finish. What I did until then stays.';
  return text === '' ? why : `${text}\n\n${why}`;
}

function requireAnswered(result: TurnResult): void {
  if (result.status === 'failed') throw result.cause;
  if (result.status !== 'stopped') return;
  const message = 'The answer was interrupted. What was done until then stays; send a message to go on.';
  throw new DomainError('not_ready', 'message_interrupted', message);
}
