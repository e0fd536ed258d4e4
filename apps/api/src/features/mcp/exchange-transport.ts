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
 * One POST of a client from before protocol revision 2026-07-28, with the SDK's transport inside. What a long-lived
 * connection would hold is made good here: the client's introduction is said again from its session id, and what the
 * server asks the client within the response's stream goes out under an id that any process knows, since the answer is
 * a POST of its own.
 */
export class ExchangeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: OnMessage;
  readonly #inner: Transport;
  readonly #session: ClientSession | undefined;
  readonly #questions: QuestionRepository;
  readonly #callKey: (requestId: unknown) => string | undefined;
  /** By the id that the server gave it. */
  readonly #asked = new Map<JSONRPCRequest['id'], { id: string; waiting: AbortController }>();
  readonly #introduction = { id: `introduction-${randomUUID()}`, done: Promise.withResolvers<void>() };

  /** @param callKeyOf Names a call of this client, as its cancellation does. */
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
    const told: Pick<Transport, 'onmessage' | 'onerror' | 'onclose'> = {
      onmessage: (message: JSONRPCMessage, extra?: MessageExtraInfo) => this.onmessage?.(message, extra),
      onerror: (error) => this.onerror?.(error),
      onclose: () => {
        for (const { waiting } of this.#asked.values()) waiting.abort();
        this.onclose?.();
      },
    };
    Object.assign(this.#inner, told);
    await this.#inner.start();
  }

  /** Lets the server know the client, where its session is known. */
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
    if (isJSONRPCNotification(message)) return this.#inner.send(this.#underOurId(message), options);
    if (message.id === this.#introduction.id) return this.#introduction.done.resolve();
    return this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  async #ask(request: JSONRPCRequest, options: TransportSendOptions | undefined): Promise<void> {
    const asked = { id: randomUUID(), waiting: new AbortController() };
    this.#asked.set(request.id, asked);
    await this.#questions.open(asked.id);
    await this.#inner.send({ ...request, id: asked.id }, options);
    this.#hear(request.id, asked, options?.relatedRequestId).catch((error: unknown) => this.#fail(error));
  }

  async #hear(
    id: JSONRPCRequest['id'],
    asked: { id: string; waiting: AbortController },
    call: JSONRPCRequest['id'] | undefined,
  ): Promise<void> {
    const answer = await this.#questions.wait(asked.id, this.#callKey(call) ?? '', asked.waiting.signal);
    if (answer === 'cancelled') await this.#cancel(call);
    else if (answer) this.onmessage?.({ ...answer, id });
  }

  #fail(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  /** Passes to the server what another exchange received, and ends the response, which no client awaits any more. */
  async #cancel(requestId: JSONRPCRequest['id'] | undefined): Promise<void> {
    if (requestId === undefined) return;
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    await this.close();
  }

  /** A question that is taken back is named as the client knows it. */
  #underOurId(notification: JSONRPCNotification): JSONRPCNotification {
    const requestId = notification.params?.['requestId'];
    if (notification.method !== 'notifications/cancelled') return notification;
    const asked = this.#asked.get(requestId as JSONRPCRequest['id']);
    if (!asked) return notification;
    asked.waiting.abort();
    return { ...notification, params: { ...notification.params, requestId: asked.id } };
  }
}
