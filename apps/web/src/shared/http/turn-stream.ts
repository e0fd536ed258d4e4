import type { TurnEvent } from '@docwright/contract';
import { EventSourceParserStream } from 'eventsource-parser/stream';

export interface TurnFrame {
  /** Counts from 1 within the turn. */
  id: number;
  event: TurnEvent;
}

/** Yields the turn's events in order until the response ends. */
export async function* readTurnFrames(response: Response): AsyncGenerator<TurnFrame> {
  if (!response.body) return;
  const frames = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const frame of frames) {
    yield { id: Number(frame.id ?? 0), event: JSON.parse(frame.data) as TurnEvent };
  }
}
