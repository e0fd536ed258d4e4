import { setImmediate } from 'node:timers/promises';

/** One answer of a service, as it was recorded: a body in the pieces it came in, or a connection that breaks. */
export interface RecordedAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | readonly string[];
  /** The connection breaks after the body, or at once where there is none. */
  readonly breaks?: true;
}

interface RecordedFetch {
  readonly fetch: typeof fetch;
  /** The bodies of the requests so far. */
  readonly requests: Record<string, unknown>[];
}

/** A fetch that plays recorded answers one after the other, and fails where there is none left. */
export function recordedFetch(answers: readonly RecordedAnswer[]): RecordedFetch {
  const requests: Record<string, unknown>[] = [];
  return {
    requests,
    async fetch(_, init) {
      const answer = answers[requests.length];
      requests.push(JSON.parse(init?.body as string) as Record<string, unknown>);
      if (answer === undefined) throw new Error(`Nothing is recorded for request ${requests.length}.`);
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
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift();
      if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
      else if (breaks === true) {
        // What came before is read by then, as it is of a socket.
        await setImmediate();
        controller.error(new TypeError('terminated'));
      } else controller.close();
    },
  });
}

/** Chunks as a body of server-sent events; strings stand as they are. */
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
