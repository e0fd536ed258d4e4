import { setImmediate } from 'node:timers/promises';

/** A recorded answer of a service: a body in its original pieces, or a broken connection. */
export interface RecordedAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | readonly string[];
  /** The connection breaks after the body, or at once if there is no body. */
  readonly breaks?: true;
}

interface RecordedFetch {
  readonly fetch: typeof fetch;
  /** The bodies of the requests so far. */
  readonly requests: Record<string, unknown>[];
}

/** A fetch that replays recorded answers in order, and throws when none is left. */
export function createRecordedFetch(answers: readonly RecordedAnswer[]): RecordedFetch {
  const requests: Record<string, unknown>[] = [];
  return {
    requests,
    async fetch(_, init) {
      const answer = answers[requests.length];
      requests.push(JSON.parse(init?.body as string) as Record<string, unknown>);
      if (answer === undefined) throw new Error(`There is no recorded answer for request ${requests.length}.`);
      if (answer.breaks === true && answer.body === undefined) {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
      }
      const headers = { 'content-type': 'text/event-stream', ...answer.headers };
      return new Response(bodyOf(answer), { status: answer.status ?? 200, headers });
    },
  };
}

function bodyOf({ body = '', breaks }: RecordedAnswer): ReadableStream<Uint8Array> {
  const pieces = [...(typeof body === 'string' ? [body] : body)];
  let isFirst = true;
  return new ReadableStream({
    async pull(controller) {
      // The reader gets each piece by itself, as from a slow model.
      if (!isFirst) await setImmediate();
      isFirst = false;
      const piece = pieces.shift();
      if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
      else if (breaks === true) {
        // The reader gets the earlier pieces first, as from a socket.
        await setImmediate();
        controller.error(new TypeError('terminated'));
      } else controller.close();
    },
  });
}

/** A body of server-sent events; strings are inserted unchanged. */
export function eventStream(chunks: readonly unknown[], end = 'data: [DONE]\n\n'): string {
  return (
    chunks.map((chunk) => (typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}\n\n`)).join('') + end
  );
}

/** A chunk with one choice. */
export function delta(content: Record<string, unknown>, finish_reason: string | null = null): unknown {
  return { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: content, finish_reason }] };
}

/** A chunk with one fragment of a tool call. */
export function callDelta(fragment: Record<string, unknown>, finish_reason: string | null = null): unknown {
  const { name, arguments: args, ...rest } = fragment;
  return delta({ tool_calls: [{ ...rest, type: 'function', function: { name, arguments: args } }] }, finish_reason);
}

export const stop = delta({}, 'stop');
export const toolCallsEnd = delta({}, 'tool_calls');
