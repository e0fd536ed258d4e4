import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnAnswer } from '@docwright/contract';
import { createDocwright, DocwrightError, type Docwright, type TurnStream } from '@docwright/sdk';
import { startModelServer, type ModelServer } from '../faults/scripted-model-server.ts';
import type { LoadedOrganization } from './organization.ts';
import type { Report } from './report.ts';

/** A client that retries as the contract says. Each story is a document with a chat about it, by its number. */
export interface Traffic {
  /** Uploads the file of a story and waits for its text. Returns the id of the document. */
  upload(story: number): Promise<string>;
  /** Asks the agent, until its call waits for approval. */
  ask(story: number, documentId: string): Promise<TurnAnswer>;
  /** Approves, until the turn is completed. */
  approve(story: number, documentId: string, turn: TurnAnswer): Promise<void>;
  /** Reads the conversation of an ended story and replays its turn: both are complete. */
  readAgain(story: number, conversation: Conversation): Promise<void>;
  /** Opens lists, one after the other, until it is over. */
  look(isOver: () => boolean): Promise<void>;
  /** Follows the organization's events until the signal aborts: each number comes once and in order. */
  follow(signal: AbortSignal): Promise<void>;
}

export interface Conversation {
  documentId: string;
  turn: TurnAnswer;
}

/** How long a client repeats a request that did not reach the server or was refused for now. */
const patienceMs = 180_000;
/** A user can have 60 turns a minute. */
const users = 8;
const readStates = new Set(['ocr_completed', 'llm_processing', 'llm_completed', 'llm_failed']);

export const fileOf = (story: number): string => `story ${story}.txt`;
export const caseOf = (story: number): string => `case-${story}`;

/** A model that takes its time: twice `paceMs` for each answer. It calls a tool for each story, and says when it is done. */
export async function startPacedModel(paceMs: number): Promise<ModelServer> {
  const model = await startModelServer((name, round, { hasTools }) => {
    // An extraction of a run.
    if (!hasTools) return { text: '{"total": 5}' };
    return round === 0
      ? {
          text: 'This document has a total, so that I propose a prompt for it. '.repeat(4),
          calls: [{ name: 'create_prompt', args: { name, content: 'Read the total.' } }],
        }
      : { text: `The prompt is made. Done ${name}.` };
  });
  model.onAnswer = () => sleep(paceMs);
  return model;
}

export async function createTraffic(
  organization: LoadedOrganization,
  report: Pick<Report, 'time' | 'retried' | 'problem'>,
): Promise<Traffic> {
  const { url: baseUrl, organizationId } = organization;
  const tokens = await organization.addUsers(users);
  const clients = tokens.map((token) => createDocwright({ baseUrl, token, organizationId, retries: 6 }));
  const clientOf = (story: number) => clients[story % users]!;

  /** Repeats what may be repeated. */
  async function persist<Answer>(kind: string, attempt: () => Promise<Answer>): Promise<Answer> {
    const until = Date.now() + patienceMs;
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isTemporary(error) || Date.now() > until) throw error;
        report.retried(kind, error.code);
        await sleep(
          error.retryAfterSeconds === undefined ? Math.min(250 * 2 ** failures, 4_000) : error.retryAfterSeconds * 1000,
        );
      }
    }
  }

  /** The newest turn of the only conversation about the document, if the message arrived. */
  async function startedTurn(
    docwright: Docwright,
    documentId: string,
  ): Promise<{ threadId?: string; turnId?: string }> {
    const { threads } = await docwright.chat.threads.list(documentId);
    const threadId = threads[0]?.id;
    if (threadId === undefined) return {};
    const { latest_turn } = await docwright.chat.threads.latestTurn(documentId, threadId);
    return { threadId, ...(latest_turn && { turnId: latest_turn.turn_id }) };
  }

  /** Follows the stream of a message; after a lost connection, the turn that it started. */
  async function followed(docwright: Docwright, documentId: string, content: string): Promise<TurnAnswer> {
    let stream: TurnStream | undefined;
    return await persist('chat', async () => {
      let turnId = stream?.turnId;
      let threadId: string | undefined;
      if (stream !== undefined && turnId === undefined)
        ({ turnId, threadId } = await startedTurn(docwright, documentId));
      const messages = [{ role: 'user' as const, content }];
      stream =
        turnId === undefined
          ? docwright.chat.stream(documentId, { messages, ...(threadId !== undefined && { thread_id: threadId }) })
          : docwright.chat.events(documentId, turnId);
      return await stream.answer();
    });
  }

  return {
    async upload(story) {
      const content = `Invoice of story ${story}\nTotal: ${story}.50`;
      const documentId = await report.time('upload', () =>
        persist('upload', async () => {
          const document = await clientOf(story).documents.upload({ name: fileOf(story), content });
          // The same bytes again are a duplicate of the first.
          return document.duplicate_of ?? document.id;
        }),
      );
      await report.time('text', async () => {
        for (;;) {
          const { state } = await persist('text', () => clientOf(story).documents.get(documentId));
          if (readStates.has(state)) return;
          if (state === 'ocr_failed') throw new Error(`The text of story ${story} was not read.`);
          await sleep(100);
        }
      });
      return documentId;
    },
    async ask(story, documentId) {
      const turn = await report.time('chat', () => followed(clientOf(story), documentId, caseOf(story)));
      if (turn.status !== 'awaiting_approval') report.problem(`story ${story} is ${turn.status} after its message`);
      return turn;
    },
    async approve(story, documentId, turn) {
      const approvals = turn.tool_calls.map(({ id: call_id }) => ({ call_id, approved: true }));
      const body = { turn_id: turn.turn_id, approvals };
      const done = await report.time('approval', () =>
        persist('approval', () => clientOf(story).chat.streamApproval(documentId, body).answer()),
      );
      if (done.status !== 'completed') report.problem(`story ${story} is ${done.status} after its approval`);
      if (!done.text.includes(`Done ${caseOf(story)}.`)) report.problem(`story ${story} ended with “${done.text}”`);
    },
    async readAgain(story, { documentId, turn: { thread_id: threadId, turn_id: turnId } }) {
      const { messages } = await persist('messages', () => clientOf(story).chat.threads.get(documentId, threadId));
      const roles = messages.map(({ role }) => role).join(' ');
      if (roles !== 'user assistant tool assistant') report.problem(`story ${story} has the messages “${roles}”`);
      let last = 0;
      const replay = () =>
        persist('replay', async () => {
          const stream = clientOf(story).chat.events(documentId, turnId, last);
          const answer = await stream.answer();
          last = stream.lastEventId;
          return answer;
        });
      const waited = await replay();
      if (waited.status !== 'awaiting_approval') report.problem(`the replay of story ${story} does not pause`);
      const done = await replay();
      if (!done.text.includes(`Done ${caseOf(story)}.`)) {
        report.problem(`the replay of story ${story} ends with “${done.text}”`);
      }
    },
    async look(isOver) {
      const { documents, prompts } = clients[0]!;
      const lists: [string, () => Promise<unknown>][] = [
        ['list of documents', () => documents.list({ limit: 25 })],
        ['search of a name', () => documents.list({ limit: 25, name_search: 'story 1' })],
        ['list of prompts', () => prompts.list({ limit: 25 })],
      ];
      for (let at = 0; !isOver(); at += 1) {
        const [kind, list] = lists[at % lists.length]!;
        await report
          .time(kind, () => persist(kind, list))
          .catch((error: unknown) => report.problem(`the ${kind} failed: ${String(error)}`));
        await sleep(100);
      }
    },
    async follow(signal) {
      let after = 0;
      while (!signal.aborted) {
        const feed = await persist('events', () => clients[1]!.events.list({ after, wait: 2 })).catch(
          (error: unknown) => report.problem(`the events failed: ${String(error)}`),
        );
        for (const { seq } of feed?.events ?? []) {
          if (seq !== after + 1) report.problem(`event ${seq} came after ${after}`);
          after = seq;
        }
      }
    },
  };
}

/** Runs a story for each number, so many at once. A story that fails is a problem, and the others go on. */
export async function inParallel(
  numbers: Iterable<number>,
  atOnce: number,
  report: Pick<Report, 'problem'>,
  run: (story: number) => Promise<void>,
): Promise<void> {
  const left = numbers[Symbol.iterator]();
  const work = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      const story = next.value;
      await run(story).catch((error: unknown) => {
        const code = error instanceof DocwrightError ? `${error.status} ${error.code}: ` : '';
        report.problem(`story ${story} failed: ${code}${error instanceof Error ? error.message : String(error)}`);
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

function isTemporary(error: unknown): error is DocwrightError {
  return (
    error instanceof DocwrightError &&
    (['unreachable', 'timeout', 'connection_lost', 'turn_taken_over'].includes(error.code) ||
      [429, 502, 503, 504].includes(error.status))
  );
}
