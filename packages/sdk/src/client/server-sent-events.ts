import { createParser } from 'eventsource-parser';
import { clientError } from './docwright-error.ts';

export interface Frame {
  id: string | undefined;
  data: string;
}

/** The server sends at least a comment every 15 seconds. After three silent intervals the connection is dead. */
const maxSilenceMs = 45_000;

/**
 * The frames of an SSE response, until it ends. Throws `connection_lost` when it breaks or falls silent, and the
 * signal's reason on an abort. Leaving the loop closes the connection.
 */
export async function* readFrames(
  response: Response,
  signal?: AbortSignal,
  silence = maxSilenceMs,
): AsyncGenerator<Frame, void, undefined> {
  if (!response.body) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  const ready: Frame[] = [];
  const parser = createParser({ onEvent: ({ id, data }) => ready.push({ id, data }) });
  try {
    for (;;) {
      const { done, value } = await readOrGiveUp(reader, silence);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* ready.splice(0);
    }
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw clientError('connection_lost', 'The connection to the server was lost.', error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function readOrGiveUp(reader: ReadableStreamDefaultReader<Uint8Array>, silence: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`silent for ${silence / 1000} seconds`)), silence);
  });
  try {
    return await Promise.race([reader.read(), silent]);
  } finally {
    clearTimeout(timer);
  }
}
