import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { Document, TurnAnswer } from '@docwright/contract';
import { pino } from 'pino';
import type { ChatServices } from '../features/chat/chat-services.ts';
import { chatFeature } from '../features/chat/feature.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import type { StreamLimits } from '../features/stream-admission/stream-admission.ts';
import type { TurnLimits } from '../features/turn-admission/turn-limits.ts';
import type { TestClient } from './test-client.ts';

/** The application with a model that follows a script. */
export interface ChatTestBench extends TestApp {
  /** Sets the model's next steps. */
  script(...steps: ScriptedStep[]): ScriptedLlm;
  /** Blocks the model until the returned function is called. */
  pauseModel(): () => void;
  /** Uploads a document; returns its id and the path of its chat. */
  documentOf(client: TestClient, text?: string): Promise<{ id: string; chat: string }>;
  /** The chat services of another process on the same database, with a scripted model of its own. */
  anotherProcess(...steps: ScriptedStep[]): ChatServices;
}

export async function startChatTestBench(
  settings: Record<string, string> = {},
  dependencies: {
    turnLimits?: TurnLimits;
    streamLimits?: StreamLimits;
    downloadStallMs?: number;
    readingWaitMs?: number;
  } = {},
): Promise<ChatTestBench> {
  let model: ScriptedLlm = scriptedLlm([]);
  let pause: Promise<void> | undefined;
  const llm: LlmClient = {
    async *stream(request) {
      await pause;
      yield* model.stream(request);
    },
  };
  const app = await startTestApp({ llm, settings, ...dependencies });
  return {
    ...app,
    script(...steps) {
      model = scriptedLlm(steps);
      return model;
    },
    pauseModel() {
      const { promise, resolve } = Promise.withResolvers<void>();
      pause = promise;
      return resolve;
    },
    async documentOf(client, text = 'Invoice INV-1042\nTotal: 5') {
      const content = Buffer.from(text).toString('base64');
      const { body } = await client.post<{ documents: Document[] }>('./documents', {
        documents: [{ name: 'note.txt', content }],
      });
      const id = body.documents[0]!.id;
      return { id, chat: `./documents/${id}/chat` };
    },
    anotherProcess(...steps) {
      const { settings: own } = app.services;
      return chatFeature.create({
        ...app.services,
        llmFor: () => scriptedLlm(steps),
        settings: { ...own, agentMaxRounds: 10, turnStore: 'mongo', turnTtlSeconds: 60, parkedTtlSeconds: 60 },
        logger: pino({ level: 'silent' }),
      }).chat;
    },
  };
}

export function userMessage(content: string) {
  return { messages: [{ role: 'user', content }] };
}

/** The body that decides all pending calls alike. */
export function decideAll({ turn_id, tool_calls }: TurnAnswer, approved: boolean) {
  const pending = tool_calls.filter((call) => call.needs_approval);
  return { turn_id, approvals: pending.map(({ id }) => ({ call_id: id, approved })) };
}

export interface Frame {
  id: number;
  event: string;
  data: { type: string; [field: string]: unknown };
}

/** Parses the frames of an SSE body, strictly by its specification. */
export function framesOf(body: string): Frame[] {
  return body
    .split('\n\n')
    .filter((frame) => frame !== '' && !frame.startsWith(':'))
    .map((frame) => {
      // Split, not matched: a regular expression could overflow its stack on long data.
      const [head = '', ...parts] = frame.split('\ndata: ');
      const match = /^id: (\d+)\nevent: (\w+)$/u.exec(head);
      if (!match) throw new Error(`Not a frame: ${frame}`);
      const data: Frame['data'] = JSON.parse(parts.join('\ndata: '));
      if (data.type !== match[2]) throw new Error(`The event ${match[2]} has the type ${data.type}`);
      return { id: Number(match[1]), event: match[2], data };
    });
}
