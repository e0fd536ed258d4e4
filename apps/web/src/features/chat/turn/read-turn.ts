import { followTurn, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { ApiError } from '../../../shared/http/api-error.ts';
import { reportFailure } from '../../../shared/http/connection.ts';
import { readTurnFrames, type TurnFrame } from '../../../shared/http/turn-stream.ts';

interface ReadTurnOptions {
  place: ChatPlace;
  open: (signal: AbortSignal) => Promise<Response>;
  signal: AbortSignal;
  onFrame: (frame: TurnFrame) => void;
  /** Pauses up to this event are already over, and do not end the reading of a replay. */
  ignorePausesUntil?: number;
}

const retryDelaysMs = [500, 1000, 2000, 4000, 8000];

/**
 * Reads a turn to its next pause or end. When the connection breaks, it reconnects after the last event, since the turn
 * continues on the server.
 *
 * @throws ApiError if the server rejects the request, or if reconnecting fails.
 */
export async function readTurn({
  place,
  open,
  signal,
  onFrame,
  ignorePausesUntil = 0,
}: ReadTurnOptions): Promise<void> {
  let turnId: string | undefined;
  let lastEventId = 0;
  let isStopping = false;
  /** Reads a response; returns whether the turn reached a pause or its end. */
  const readResponse = async (response: Response): Promise<boolean> => {
    try {
      for await (const frame of readTurnFrames(response, () => (isStopping = true))) {
        if (frame.event.type === 'turn_started') turnId = frame.event.turn_id;
        if (frame.event.type === 'done') turnId = frame.event.result.turn_id;
        lastEventId = Math.max(lastEventId, frame.id);
        onFrame(frame);
        if (endsReading(frame, ignorePausesUntil)) return true;
      }
    } catch (error) {
      if (signal.aborted) throw error;
      reportFailure();
    }
    return false;
  };

  if (await readResponse(await open(signal))) return;
  for (let failures = 0; failures < retryDelaysMs.length; failures += 1) {
    // A server that said that it stops is no failure: another one goes on.
    if (isStopping) failures = 0;
    isStopping = false;
    await pause(retryDelaysMs[failures]!, signal);
    if (turnId === undefined) break;
    try {
      if (await readResponse(await followTurn(place, turnId, lastEventId, signal))) return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) throw error;
    }
  }
  throw new ApiError(0, {
    code: 'interrupted',
    message: 'Connection lost. The agent continues on the server. Reload the conversation to see it.',
  });
}

const pauses = new Set(['awaiting_approval', 'awaiting_answers']);

function endsReading({ id, event }: TurnFrame, ignorePausesUntil: number): boolean {
  if (event.type === 'error') return true;
  return event.type === 'done' && !(id <= ignorePausesUntil && pauses.has(event.result.status));
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('Updates for this answer stopped.', 'AbortError'));
    });
  });
}
