import { setTimeout as sleep } from 'node:timers/promises';
import {
  describeFailure,
  messagesForHistory,
  type AgentProfile,
  type PipelineAgentServices,
  type RecordCalls,
  type TurnOwner,
  type TurnResult,
} from '@docwright/agent-core';
import {
  DomainError,
  type AgentMessageAnswer,
  type AgentMessageBody,
  type AgentMessageEvent,
  type AgentQuestion,
  type ListedAgentConversation,
} from '@docwright/contract';
import { newId } from '../../platform/database/object-id.ts';
import type { Actor } from '../identity/index.ts';
import type { LlmFor } from '../llm/index.ts';
import type { createAgentPermissions } from './agent-permissions.ts';
import { pipelineAgentServicesFor, type AgentServiceDependencies } from './agent-services.ts';
import { conversationOrThrow, requireActive, requireApplicable, type ChooseModel } from './conversation-service.ts';
import { startAnswer, storedSubAgents, type AnswerSoFar } from './answer-under-way.ts';
import { claimConversation, type LeasedConversation } from './leased-conversation.ts';
import type { ConversationLeaseRepository } from './conversation-lease-repository.ts';
import { runMessageTurn } from './message-turn.ts';
import { summaryWith } from './summary.ts';

interface MessageServiceDependencies extends AgentServiceDependencies {
  leases: ConversationLeaseRepository;
  profile: AgentProfile<PipelineAgentServices>;
  llmFor: LlmFor;
  permissionsFor: ReturnType<typeof createAgentPermissions>;
  recordCallsOf: (owner: TurnOwner, turn: { turnId: string; threadId: string }) => RecordCalls;
  chooseModel: ChooseModel;
  log: { error(fields: object, message: string): void };
}

/** Messages to the pipeline agent. */
export interface AgentMessageService {
  /**
   * Stores the message and lets the agent answer it, whether or not anybody waits. Throws `conversation_not_found`,
   * `conversation_not_active`, `model_not_enabled` and `message_running`.
   */
  say(
    actor: Actor,
    conversationId: string,
    body: AgentMessageBody,
  ): Promise<{ events: MessageEvents; answer: Promise<AgentMessageAnswer> }>;
  /**
   * Ends the message that is being answered, in whichever process, and waits until it has ended. What was built stays.
   * Throws `conversation_not_found` and `not_running`.
   */
  stopAnswer(actor: Actor, conversationId: string): Promise<void>;
  /** Ends what runs here, so that it is stored before the database goes. */
  stop(): Promise<void>;
}

interface Answering {
  actor: Actor;
  held: LeasedConversation;
  message: string;
  /** That answers, and is kept for the next message where it was chosen. */
  model: string;
  isChosen: boolean;
  answer: AnswerSoFar;
  say: (event: AgentMessageEvent) => void;
  /** The person wants its end. */
  stop: AbortController;
}

const stopTakesMs = 10_000;
const pollMs = 200;

export function createAgentMessageService(dependencies: MessageServiceDependencies): AgentMessageService {
  const { conversations, leases, profile, llmFor, permissionsFor, recordCallsOf, chooseModel, log } = dependencies;
  const closing = new AbortController();
  const running = new Map<string, { stop: AbortController; finished: Promise<unknown> }>();

  async function answer({
    actor,
    held,
    message,
    model,
    isChosen,
    answer: soFar,
    say,
    stop,
  }: Answering): Promise<AgentMessageAnswer> {
    const { lease } = held;
    const { id } = lease;
    const { organizationId, userId } = actor;
    const current = async () => conversationOrThrow(await conversations.get(actor, id));
    const before = await current();
    requireActive(before);
    // What was asked before is answered by this message.
    await conversations.change(lease, { question: null, ...(isChosen && { model }) });
    const earlier = await conversations.messagesAsSent(id);
    await conversations.addMessage(lease, { role: 'user', content: message, tool_calls: [], subagents: [] });
    const turnId = newId();
    const owner = { organizationId, userId, documentId: '' };
    const summary = earlier.length === 0 ? before.summary : null;
    const llm = llmFor({ organizationId, userId, threadId: id });
    const decide = permissionsFor(actor, id, async () => requireApplicable(await current(), false));
    const callsOf = (turn: string) =>
      recordCallsOf(owner, { turnId: turn, threadId: id, ...(actor.token && { token: actor.token }) });
    const subAgent = { llm, model, owner, threadId: id, decide, recordCallsOf: callsOf, newTurnId: newId };
    const turn = runMessageTurn({
      profile,
      llm,
      model,
      services: pipelineAgentServicesFor(dependencies, { actor, lease, summary, say, model: subAgent }),
      decide,
      recordCalls: callsOf(turnId),
      owner,
      turnId,
      threadId: id,
      earlier,
      message,
      signal: AbortSignal.any([stop.signal, held.stopWanted, held.lost, closing.signal]),
      say,
      addResult: soFar.addResult,
    });
    const { result, tool_calls } = await turn.catch(async (error: unknown) => {
      // Whoever reads the conversation later shall see that it was answered so.
      const content = `I could not answer this. ${describeFailure(error).message}`;
      await conversations.addMessage(lease, { role: 'assistant', content, tool_calls: [], subagents: [] });
      await conversations.change(lease, { summary: summaryWith(before.summary, message, content) });
      throw error;
    });
    const isStopped = stop.signal.aborted || held.stopWanted.aborted;
    const { text, question } = answerText(result, isStopped);
    if (question) say({ type: 'question', ...question });
    await conversations.addMessage(lease, {
      role: 'assistant',
      content: text,
      tool_calls,
      subagents: storedSubAgents(soFar.now()),
      ...(/^(completed|awaiting)/.test(result.status) && { sent: messagesForHistory(result.messages) }),
    });
    await conversations.change(lease, { summary: summaryWith(before.summary, message, text), question });
    requireAnswered(result, isStopped);
    return answerOf(await current(), text, tool_calls);
  }

  async function answerUnderLease(turn: Answering): Promise<AgentMessageAnswer> {
    const { lease, release } = turn.held;
    try {
      const result = await answer(turn);
      // Whoever reads `done` may send the next message at once.
      await release();
      turn.say({ type: 'done', result });
      return result;
    } catch (error) {
      if (!(error instanceof DomainError)) log.error({ err: error, conversation_id: lease.id }, 'a message failed');
      await release();
      turn.say({ type: 'error', ...describeFailure(error) });
      throw error;
    }
  }

  return {
    async say(actor, conversationId, { message, model: requested }) {
      const conversation = conversationOrThrow(await conversations.get(actor, conversationId));
      requireActive(conversation);
      const model = await chooseModel(actor, requested, conversation.model ?? undefined);
      const soFar = startAnswer(message);
      const held = await claimConversation(dependencies, conversationId, soFar.now);
      const events = createMessageEvents();
      const say = (event: AgentMessageEvent) => {
        soFar.add(event);
        events.say(event);
      };
      const stop = new AbortController();
      const answering = answerUnderLease({
        actor,
        held,
        message,
        model,
        isChosen: requested !== undefined,
        answer: soFar,
        say,
        stop,
      });
      // Whoever waits for it gets the rejection itself.
      const finished = answering.catch(() => undefined).finally(() => running.delete(conversationId));
      running.set(conversationId, { stop, finished });
      return { events, answer: answering };
    },
    async stopAnswer(actor, conversationId) {
      const look = async () => conversationOrThrow(await conversations.get(actor, conversationId));
      const { is_running, progress } = await look();
      if (!is_running) {
        throw new DomainError('conflict', 'not_running', 'No message of this conversation is being answered.');
      }
      const here = running.get(conversationId);
      if (here !== undefined) {
        here.stop.abort();
        await here.finished;
        return;
      }
      await leases.requestStop(conversationId);
      for (const until = performance.now() + stopTakesMs; performance.now() < until; await sleep(pollMs)) {
        if ((await look()).progress?.started_at !== progress?.started_at) return;
      }
    },
    async stop() {
      closing.abort();
      await Promise.all([...running.values()].map(({ finished }) => finished));
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

/** A stop by the person is an answer; the end of the server is none. */
function requireAnswered(result: TurnResult, isStopped: boolean): void {
  if (result.status === 'failed') throw result.cause;
  if (result.status !== 'stopped' || isStopped) return;
  const message = 'The answer was interrupted. What was done until then stays; send a message to go on.';
  throw new DomainError('not_ready', 'message_interrupted', message);
}

/** The agent's answer as it is stored, never empty; with a question where it needs the user's approval. */
function answerText(result: TurnResult, isStopped: boolean): { text: string; question: AgentQuestion | null } {
  const question = questionOf(result);
  return { text: textOf(result, question, isStopped), question };
}

function questionOf(result: TurnResult): AgentQuestion | null {
  if (!('pending' in result)) return null;
  const call = result.pending.batch.calls.find(
    ({ name, needs_approval }) => name === 'apply_pipeline' && needs_approval,
  );
  const { collection_name } = JSON.parse(call?.arguments ?? '{}') as { collection_name: string };
  const message = `Shall the pipeline be applied as the collection “${collection_name}”? Apply it, or tell me what to change.`;
  return { question: 'apply_pipeline', message, collection_name };
}

function textOf(result: TurnResult, question: AgentQuestion | null, isStopped: boolean): string {
  const said = [...result.executedRounds.map(({ text }) => text), result.text].map((text) => text.trim());
  const words = (last: string) => [...said, last].filter((text) => text !== '').join('\n\n');
  if (question) return words(question.message);
  if (isStopped && result.status === 'stopped') return words('You stopped me here. What was built until then stays.');
  if (result.status === 'completed') return words('') || 'Done.';
  if (result.status === 'max_rounds') {
    return words('This took more steps than I may take at once. What I did until then stays; tell me to go on.');
  }
  const why =
    result.status === 'failed'
      ? `I could not finish. ${result.error.message}`
      : 'The server ended before I could finish.';
  return words(`${why} What I did until then stays.`);
}

/** The events of a message that is being answered, kept until its end for all who follow it. */
interface MessageEvents {
  readonly say: (event: AgentMessageEvent) => void;
  /** From the first one to `done` or `error`, or until the signal. */
  readonly follow: (signal: AbortSignal) => AsyncGenerator<AgentMessageEvent>;
}

function createMessageEvents(): MessageEvents {
  const said: AgentMessageEvent[] = [];
  let wake = Promise.withResolvers<void>();
  return {
    say(event) {
      const last = said.at(-1);
      if (last?.type === 'done' || last?.type === 'error') return;
      said.push(event);
      wake.resolve();
      wake = Promise.withResolvers();
    },
    async *follow(signal) {
      const gone = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => gone.resolve(), { once: true });
      for (let at = 0; !signal.aborted;) {
        const event = said[at];
        if (event === undefined) {
          await Promise.race([wake.promise, gone.promise]);
          continue;
        }
        at += 1;
        yield event;
        if (event.type === 'done' || event.type === 'error') return;
      }
    },
  };
}
