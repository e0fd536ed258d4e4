import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure, type AgentProfile, type PipelineAgentServices, type TurnResult } from '@docwright/agent-core';
import {
  DomainError,
  type AgentMessageAnswer,
  type AgentMessageBody,
  type AgentMessageEvent,
  type AgentQuestion,
  type ListedAgentConversation,
} from '@docwright/contract';
import { newId } from '../../platform/database/object-id.ts';
import type { RecordCallsOf } from '../audit/index.ts';
import type { Actor } from '../identity/index.ts';
import type { LlmFor } from '../llm/index.ts';
import { answerMessage, shownResult, turnsOfConversation } from '../turns/index.ts';
import type { createAgentPermissions } from './agent-permissions.ts';
import { pipelineAgentServicesFor, type AgentServiceDependencies } from './agent-services.ts';
import { conversationOrThrow, requireActive, requireApplicable, type ChooseModel } from './conversation-service.ts';
import { conversationEventsOf, startAnswerRecorder, storedSubAgents, type AnswerRecorder } from './answer-recorder.ts';
import { claimConversation, type LeasedConversation } from './leased-conversation.ts';
import type { ConversationLeaseRepository } from './conversation-lease-repository.ts';
import { summaryWith } from './summary.ts';

interface MessageServiceDependencies extends AgentServiceDependencies {
  leases: ConversationLeaseRepository;
  profile: AgentProfile<PipelineAgentServices>;
  llmFor: LlmFor;
  permissionsFor: ReturnType<typeof createAgentPermissions>;
  recordCallsOf: RecordCallsOf;
  chooseModel: ChooseModel;
  log: { error(fields: object, message: string): void };
}

/** A message, with the language that its client accepts first. */
type SpokenMessage = AgentMessageBody & { language?: string };

/** Sends messages to the pipeline agent. */
export type AgentMessageService = ReturnType<typeof createAgentMessageService>;

interface AnswerTask {
  actor: Actor;
  leased: LeasedConversation;
  body: SpokenMessage;
  /** The model that answers; stored for the next message if the user chose it. */
  model: string;
  recorder: AnswerRecorder;
  emit: (event: AgentMessageEvent) => void;
  /** Aborted when the user stops the answer. */
  stop: AbortController;
}

const stopTimeoutMs = 10_000;
const pollMs = 200;

export function createAgentMessageService(dependencies: MessageServiceDependencies) {
  const { conversations, leases, profile, llmFor, permissionsFor, recordCallsOf, chooseModel, log } = dependencies;
  const closing = new AbortController();
  const running = new Map<string, { stop: AbortController; finished: Promise<unknown> }>();

  async function answer({ actor, leased, body, model, recorder, emit, stop }: AnswerTask): Promise<AgentMessageAnswer> {
    const { lease } = leased;
    const { id } = lease;
    const { message, language } = body;
    const { organizationId, userId } = actor;
    const current = async () => conversationOrThrow(await conversations.get(actor, id));
    const before = await current();
    requireActive(before);
    // This message answers the previous question.
    await conversations.change(lease, { question: null, ...(body.model !== undefined && { model }) });
    const history = await conversations.messagesAsSent(id);
    await conversations.addMessage(lease, { role: 'user', content: message, tool_calls: [], subagents: [] });
    const summary = history.length === 0 ? before.summary : null;
    const llm = llmFor({ organizationId, userId, threadId: id });
    const decide = permissionsFor(actor, id, async () => requireApplicable(await current(), false));
    const turns = turnsOfConversation(recordCallsOf, actor, id);
    const subAgents = {
      llm,
      model,
      owner: turns.owner,
      threadId: id,
      decide,
      recordCallsOf: turns.callsOf,
      newTurnId: newId,
    };
    const turn = answerMessage({
      profile,
      llm,
      services: pipelineAgentServicesFor(dependencies, { actor, lease, summary, emit, model: subAgents }),
      decide,
      signal: AbortSignal.any([stop.signal, leased.stopRequested, leased.lost, closing.signal]),
      model,
      threadId: id,
      turns,
      earlier: history,
      message,
      language,
      onEvent(event) {
        if (event.type === 'tool_result') recorder.addResult(event.call_id, shownResult(event));
        conversationEventsOf(event).forEach(emit);
      },
    });
    const { result, sent, ...answered } = await turn.catch(async (error: unknown) => {
      // The failure is part of the conversation.
      const content = `I could not answer this. ${describeFailure(error).message}`;
      await conversations.addMessage(lease, { role: 'assistant', content, tool_calls: [], subagents: [] });
      await conversations.change(lease, { summary: summaryWith(before.summary, message, content) });
      throw error;
    });
    const tool_calls = answered.tool_calls.map(({ id: callId, ...call }) => {
      const text_before = recorder.textBefore(callId);
      return { ...call, ...(text_before !== undefined && { text_before }) };
    });
    const isStopped = stop.signal.aborted || leased.stopRequested.aborted;
    const { text, question } = answerText(result, isStopped);
    if (question) emit({ type: 'question', ...question });
    await conversations.addMessage(lease, {
      role: 'assistant',
      content: text,
      tool_calls,
      subagents: storedSubAgents(recorder.current()),
      ...(sent && { sent }),
    });
    await conversations.change(lease, { summary: summaryWith(before.summary, message, text), question });
    requireAnswered(result, isStopped);
    return answerOf(await current(), text, tool_calls);
  }

  async function answerUnderLease(turn: AnswerTask): Promise<AgentMessageAnswer> {
    const { lease, release } = turn.leased;
    try {
      const result = await answer(turn);
      // A reader of `done` can send the next message at once.
      await release();
      turn.emit({ type: 'done', result });
      return result;
    } catch (error) {
      if (!(error instanceof DomainError)) log.error({ err: error, conversation_id: lease.id }, 'a message failed');
      await release();
      turn.emit({ type: 'error', ...describeFailure(error) });
      throw error;
    }
  }

  return {
    /**
     * Stores the message and starts the agent's answer, which continues without readers. Throws `conversation_not_found`,
     * `conversation_not_active`, `model_not_enabled` and `message_running`.
     */
    async send(
      actor: Actor,
      conversationId: string,
      body: SpokenMessage,
    ): Promise<{ events: MessageEvents; answer: Promise<AgentMessageAnswer> }> {
      const conversation = conversationOrThrow(await conversations.get(actor, conversationId));
      requireActive(conversation);
      const model = await chooseModel(actor, body.model, conversation.model ?? undefined);
      const recorder = startAnswerRecorder(body.message);
      const leased = await claimConversation(dependencies, conversationId, recorder.current);
      const events = createMessageEvents();
      const emit = (event: AgentMessageEvent) => {
        recorder.add(event);
        events.emit(event);
      };
      const stop = new AbortController();
      const answering = answerUnderLease({
        actor,
        leased,
        body,
        model,
        recorder,
        emit,
        stop,
      });
      // Callers get the rejection from `answer`.
      const finished = answering.catch(() => undefined).finally(() => running.delete(conversationId));
      running.set(conversationId, { stop, finished });
      return { events, answer: answering };
    },
    /**
     * Stops the answer in progress, in any process, and waits for its end. The pipeline is kept. Throws
     * `conversation_not_found` and `not_running`.
     */
    async stopAnswer(actor: Actor, conversationId: string): Promise<void> {
      const readConversation = async () => conversationOrThrow(await conversations.get(actor, conversationId));
      const { is_running, progress } = await readConversation();
      if (!is_running) {
        throw new DomainError('conflict', 'not_running', 'No message of this conversation is being answered.');
      }
      const local = running.get(conversationId);
      if (local !== undefined) {
        local.stop.abort();
        await local.finished;
        return;
      }
      await leases.requestStop(conversationId);
      for (const until = performance.now() + stopTimeoutMs; performance.now() < until; await sleep(pollMs)) {
        if ((await readConversation()).progress?.started_at !== progress?.started_at) return;
      }
    },
    /** Stops the answers of this process, so that they are stored before the database closes. */
    async stop(): Promise<void> {
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

/** A stop by the user yields an answer; a server shutdown does not. */
function requireAnswered(result: TurnResult, isStopped: boolean): void {
  if (result.status === 'failed') throw result.cause;
  if (result.status !== 'stopped' || isStopped) return;
  const message = 'The answer was interrupted. Finished steps are kept; send a message to continue.';
  throw new DomainError('not_ready', 'message_interrupted', message);
}

/** The stored answer, never empty, with a question if it needs the user's approval. */
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
  const texts = [...result.executedRounds.map(({ text }) => text), result.text].map((text) => text.trim());
  const joined = (last: string) => [...texts, last].filter((text) => text !== '').join('\n\n');
  if (question) return joined(question.message);
  if (isStopped && result.status === 'stopped') return joined('You stopped me here. What was built until then stays.');
  if (result.status === 'completed') return joined('') || 'Done.';
  if (result.status === 'max_rounds') {
    return joined('This took more steps than I may take at once. What I did until then stays; tell me to go on.');
  }
  const reason =
    result.status === 'failed'
      ? `I could not finish. ${result.error.message}`
      : 'The server ended before I could finish.';
  return joined(`${reason} What I did until then stays.`);
}

/** The events of an answer, buffered until its end for all subscribers. */
type MessageEvents = ReturnType<typeof createMessageEvents>;

function createMessageEvents() {
  const events: AgentMessageEvent[] = [];
  let wake = Promise.withResolvers<void>();
  return {
    emit(event: AgentMessageEvent) {
      const last = events.at(-1);
      if (last?.type === 'done' || last?.type === 'error') return;
      events.push(event);
      wake.resolve();
      wake = Promise.withResolvers();
    },
    /** Yields all events from the first one until `done`, `error` or the signal. */
    async *subscribe(signal: AbortSignal) {
      const aborted = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => aborted.resolve(), { once: true });
      for (let at = 0; !signal.aborted;) {
        const event = events[at];
        if (event === undefined) {
          await Promise.race([wake.promise, aborted.promise]);
          continue;
        }
        at += 1;
        yield event;
        if (event.type === 'done' || event.type === 'error') return;
      }
    },
  };
}
