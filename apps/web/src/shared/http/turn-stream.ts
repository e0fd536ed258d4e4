import type { TurnEvent } from '@docwright/contract';
import { EventSourceParserStream } from 'eventsource-parser/stream';

export interface TurnFrame {
  /** Counts from 1 within the turn. */
  id: number;
  event: TurnEvent;
}

/**
 * Yields the events of a response until it ends, or its server says that it stops: the last event is not passed on then, and
 * `onStopping` is called.
 */
export async function* readEvents(
  response: Response,
  onStopping?: () => void,
): AsyncGenerator<{ id?: string | undefined; data: string }> {
  if (!response.body) return;
  const frames = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const frame of frames) {
    if (frame.event === 'stopping') return onStopping?.();
    yield frame;
  }
}

/** Yields the turn's events in order until the response ends. */
export async function* readTurnFrames(response: Response, onStopping?: () => void): AsyncGenerator<TurnFrame> {
  for await (const frame of readEvents(response, onStopping)) {
    yield { id: Number(frame.id ?? 0), event: JSON.parse(frame.data) as TurnEvent };
  }
}
