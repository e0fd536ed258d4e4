import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { BadAnswerError, StreamedError } from '../model-errors.ts';
import type { CompletionChunk } from './completion-chunk.ts';
import { isBeyondBounds } from '../json-bounds.ts';

/** A successful answer. */
export interface CompletionAnswer {
  readonly contentType: string;
  readonly body: Readable | undefined;
}

/** Maximum number of characters in one event. */
const maxEventSize = 5_000_000;
/** Bytes of a body that bring nothing, beside those for each character of the answer: probabilities take hundreds. */
const [maxEmptyBytes, maxBytesPerCharacter] = [32_000_000, 1_000];
/** So many bytes are read before other work of the process continues, if they arrive faster. */
const bytesPerTurn = 128 * 1024;
/** Time to wait for the end of a body after `[DONE]`, so that its connection can be reused. */
const drainMs = 200;

/** Reads a body as chunks of a chat completion, in lists of chunks that arrived together. */
export class CompletionBody {
  readonly #body: Readable;
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #isJson: boolean;
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    maxBufferSize: maxEventSize,
    onEvent: (event) => this.#take(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') this.#failure ??= new BadAnswerError('an event without end');
    },
  });
  #chunks: CompletionChunk[] = [];
  #text = '';
  #sawEvent = false;
  #closed = false;
  #done = false;
  #received = 0;
  #sinceTurn = 0;
  /** Thrown by the next read, after the chunks that came before it in the same piece. */
  #failure: Error | undefined;

  constructor({ contentType, body }: CompletionAnswer) {
    // A body that is destroyed before its end emits an error.
    body?.on('error', () => undefined);
    if (contentType.includes('text/html')) {
      body?.destroy();
      throw new BadAnswerError('a web page');
    }
    if (body === undefined) throw new BadAnswerError('an empty body');
    this.#body = body;
    this.#isJson = contentType.includes('application/json');
    this.#pieces = body[Symbol.asyncIterator]();
  }

  /** Whether `[DONE]` has been read. */
  get done(): boolean {
    return this.#done;
  }

  /**
   * The chunks of the next piece, possibly none (keep-alives); undefined at the end. An endpoint that sends much more than
   * the answer has characters so far never ends it.
   */
  async next(answerLength = 0): Promise<CompletionChunk[] | undefined> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#done || this.#closed) return undefined;
    if (this.#received > maxEmptyBytes + answerLength * maxBytesPerCharacter) {
      throw new BadAnswerError('data without end');
    }
    if (this.#sinceTurn >= bytesPerTurn) {
      this.#sinceTurn = 0;
      await nextTurn();
    }
    const { value, done } = await this.#pieces.next();
    this.#received += value?.length ?? 0;
    this.#sinceTurn += value?.length ?? 0;
    if (done === true) this.#end();
    else this.#feed(this.#decoder.decode(value, { stream: true }));
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** Releases the connection. After `[DONE]` the rest is read, so that the connection can be reused. */
  async close(): Promise<void> {
    if (this.#done && !this.#closed) {
      const late = new Promise<{ done: true }>((resolve) => setTimeout(resolve, drainMs, { done: true }).unref());
      while ((await Promise.race([this.#pieces.next(), late])).done !== true);
    }
    if (!this.#closed) this.#body.destroy();
  }

  #feed(text: string): void {
    if (!this.#sawEvent && this.#text.length < maxEventSize) this.#text += text;
    if (this.#isJson && this.#text.length >= maxEventSize) this.#failure ??= new BadAnswerError('more than 5 MB');
    if (!this.#isJson) this.#parser.feed(text);
  }

  /** Ends the body. A complete last event without its blank line counts. */
  #end(): void {
    this.#closed = true;
    if (this.#isJson) {
      this.#takeJson(this.#text);
      return;
    }
    const before = this.#failure;
    this.#parser.feed('\n\n');
    if (this.#failure instanceof BadAnswerError) this.#failure = before;
    if (this.#sawEvent || this.#failure !== undefined) return;
    const text = this.#text.trimStart();
    const what = text.startsWith('<') ? 'a web page' : 'something';
    this.#failure = new BadAnswerError(text === '' ? 'nothing' : what);
  }

  #take(event: EventSourceMessage): void {
    const { data } = event;
    if (this.#done || this.#failure !== undefined || data === '' || data.startsWith(':')) return;
    this.#sawEvent = true;
    this.#text = '';
    if (data.startsWith('[DONE]')) this.#done = true;
    else this.#takeJson(data, event.event === 'error');
  }

  #takeJson(text: string, isError = false): void {
    if (isBeyondBounds(text)) {
      this.#failure = new BadAnswerError('JSON with too many entries or levels');
      return;
    }
    const chunk = parseObject(text);
    if (chunk === undefined) this.#failure = new BadAnswerError('something that is not JSON');
    else if (isError || (chunk.error !== undefined && chunk.error !== null)) this.#failure = new StreamedError(chunk);
    else this.#chunks.push(chunk);
  }
}

function parseObject(text: string): CompletionChunk | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
