import { randomUUID } from 'node:crypto';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { ClientSession } from './client-session.ts';
import type { QuestionRepository } from './question-repository.ts';

type OnMessage = NonNullable<Transport['onmessage']>;

/**
 * One POST of a client with a protocol revision before 2026-07-28, around the SDK's transport. It replaces a long-lived
 * connection: the client's introduction is repeated from its session id, and a question to the client in the response's
 * stream gets an id that all processes know, since the answer is a separate POST.
 */
export class ExchangeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: OnMessage;
  readonly #inner: Transport;
  readonly #session: ClientSession | undefined;
  readonly #questions: QuestionRepository;
  readonly #callKey: (requestId: unknown) => string | undefined;
  /** By the server's id of the request. */
  readonly #questionsById = new Map<JSONRPCRequest['id'], { id: string; waiting: AbortController }>();
  readonly #introduction = { id: `introduction-${randomUUID()}`, done: Promise.withResolvers<void>() };

  /** @param callKeyOf the key of a call of this client, as used by its cancellation. */
  constructor(
    inner: Transport,
    session: ClientSession | undefined,
    questions: QuestionRepository,
    callKeyOf: (requestId: unknown) => string | undefined,
  ) {
    this.#inner = inner;
    this.#session = session;
    this.#questions = questions;
    this.#callKey = callKeyOf;
  }

  async start(): Promise<void> {
    const handlers: Pick<Transport, 'onmessage' | 'onerror' | 'onclose'> = {
      onmessage: (message: JSONRPCMessage, extra?: MessageExtraInfo) => this.onmessage?.(message, extra),
      onerror: (error) => this.onerror?.(error),
      onclose: () => {
        for (const { waiting } of this.#questionsById.values()) waiting.abort();
        this.onclose?.();
      },
    };
    Object.assign(this.#inner, handlers);
    await this.#inner.start();
  }

  /** Introduces the client to the server, if its session is known. */
  async introduce(): Promise<void> {
    if (!this.#session) return;
    const { protocolVersion, name, elicits } = this.#session;
    this.onmessage?.({
      jsonrpc: '2.0',
      id: this.#introduction.id,
      method: 'initialize',
      params: {
        protocolVersion,
        capabilities: elicits ? { elicitation: {} } : {},
        clientInfo: { name, version: 'unknown' },
      },
    });
    await this.#introduction.done.promise;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isJSONRPCRequest(message)) return this.#ask(message, options);
    if (isJSONRPCNotification(message)) return this.#inner.send(this.#withClientId(message), options);
    if (message.id === this.#introduction.id) return this.#introduction.done.resolve();
    return this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  async #ask(request: JSONRPCRequest, options: TransportSendOptions | undefined): Promise<void> {
    const question = { id: randomUUID(), waiting: new AbortController() };
    this.#questionsById.set(request.id, question);
    await this.#questions.open(question.id);
    await this.#inner.send({ ...request, id: question.id }, options);
    this.#waitForAnswer(request.id, question, options?.relatedRequestId).catch((error: unknown) => this.#fail(error));
  }

  async #waitForAnswer(
    id: JSONRPCRequest['id'],
    question: { id: string; waiting: AbortController },
    call: JSONRPCRequest['id'] | undefined,
  ): Promise<void> {
    const answer = await this.#questions.wait(question.id, this.#callKey(call) ?? '', question.waiting.signal);
    if (answer === 'cancelled') await this.#cancel(call);
    else if (answer) this.onmessage?.({ ...answer, id });
  }

  #fail(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  /**
   * Passes on a cancellation that another exchange received, and ends the response, which no client awaits any more.
   */
  async #cancel(requestId: JSONRPCRequest['id'] | undefined): Promise<void> {
    if (requestId === undefined) return;
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    await this.close();
  }

  /** The cancellation of a question, with the id that the client knows. */
  #withClientId(notification: JSONRPCNotification): JSONRPCNotification {
    const requestId = notification.params?.['requestId'];
    if (notification.method !== 'notifications/cancelled') return notification;
    const question = this.#questionsById.get(requestId as JSONRPCRequest['id']);
    if (!question) return notification;
    question.waiting.abort();
    return { ...notification, params: { ...notification.params, requestId: question.id } };
  }
}
