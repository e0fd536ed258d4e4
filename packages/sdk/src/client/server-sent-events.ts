import { createParser } from 'eventsource-parser';
import { clientError } from './docwright-error.ts';

/** One event of a stream. */
export interface Frame {
  id: string | undefined;
  data: string;
}

/** The server sends at least a comment every 15 seconds. After three silent intervals the connection is treated as lost. */
const maxSilenceMs = 45_000;

/** The last event of a server that stops, on each open stream: another process, or the next one, goes on. */
const stoppingEvent = 'stopping';

/**
 * Yields the frames of an SSE response until it ends, or its server stops. Leaving the loop closes the connection.
 *
 * @throws DocwrightError `connection_lost` if the connection breaks or is silent too long; the signal's reason on an abort
 */
export async function* readFrames(
  response: Response,
  signal?: AbortSignal,
  silenceMs = maxSilenceMs,
): AsyncGenerator<Frame, void, undefined> {
  if (!response.body) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  const ready: Frame[] = [];
  let isStopping = false;
  const parser = createParser({
    onEvent({ id, event, data }) {
      if (event === stoppingEvent) isStopping = true;
      else ready.push({ id, data });
    },
  });
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, silenceMs);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* ready.splice(0);
      if (isStopping) return;
    }
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw clientError('connection_lost', 'The connection to the server was lost.', error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The event of a frame. Throws `not_docwright` if its data is not JSON. */
export function readEvent(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw clientError('not_docwright', 'The server streams something else than events. Check the address.', error);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, silenceMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`silent for ${silenceMs / 1000} seconds`)), silenceMs);
  });
  try {
    return await Promise.race([reader.read(), silent]);
  } finally {
    clearTimeout(timer);
  }
}
