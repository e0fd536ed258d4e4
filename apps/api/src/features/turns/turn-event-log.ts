import type { TurnAnswer, TurnEvent } from '@docwright/contract';
import type { StoredFrames } from './turn-event-repository.ts';

/** Characters of frames sent in one write: a long replay waits for a slow reader between writes. */
const charactersPerWrite = 64 * 1024;
/** Characters of frames stored in one record, well below the limit of the database. */
const charactersPerRecord = 1024 * 1024;

/**
 * The events of a turn as SSE frames: written once, read by any number of readers at their own pace. A reader has a
 * position and no queue, so slow readers cost no memory. Ids count from 1 and continue after pauses of the turn.
 */
export class TurnEventLog {
  readonly #frames: string[] = [];
  /** The ids of `done` and `error` events, which end a response. */
  readonly #closings: number[] = [];
  readonly #before: number;
  #size = 0;
  #waiting: (() => void)[] = [];
  #isWaking = false;
  #closed = false;
  #storedTo: number;
  #storing: Promise<void> = Promise.resolve();

  /** `before`: the number of events emitted before this log was created. */
  constructor(before = 0) {
    this.#before = before;
    this.#storedTo = before;
  }

  /** This log has all events after this id. */
  get before(): number {
    return this.#before;
  }

  get lastId(): number {
    return this.#before + this.#frames.length;
  }

  /** Whether no more events follow. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** The number of characters in the log. */
  get size(): number {
    return this.#size;
  }

  append(event: TurnEvent): void {
    const id = this.lastId + 1;
    const frame = frameOf(id, event);
    this.#frames.push(frame);
    this.#size += frame.length;
    if (event.type === 'done' || event.type === 'error') this.#closings.push(id);
    this.#wake();
  }

  /**
   * Stores new events, one range after the other; the next call retries a failed range. Without new events, only `always`
   * calls `store`.
   */
  flush(store: (batches: StoredFrames[]) => Promise<void>, always = false): Promise<void> {
    const write = async () => {
      const last = this.lastId;
      if (last === this.#storedTo && !always) return;
      await store(this.#recordsOf(this.#storedTo, last));
      this.#storedTo = last;
    };
    this.#storing = this.#storing.then(write, write);
    return this.#storing;
  }

  #recordsOf(after: number, last: number): StoredFrames[] {
    const records: StoredFrames[] = [];
    for (let position = after; position < last;) {
      const [frames, read] = this.#read(position, last, charactersPerRecord);
      records.push({ first: position + 1, last: read, frames });
      position = read;
    }
    return records;
  }

  /** No more events follow: readers end when they have read all. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /**
   * Yields the frames after an id as they are appended, several in one text if they were appended together. Ends after
   * the next `done` or `error` with `untilClosing`, when the log is closed, or when the signal aborts.
   */
  async *follow(after: number, untilClosing: boolean, signal: AbortSignal): AsyncGenerator<string> {
    let position = Math.max(after, this.#before);
    const end = () => (untilClosing ? this.#closings.find((id) => id > after) : undefined);
    const onAbort = () => this.#wake();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      while (!signal.aborted) {
        const last = Math.min(this.lastId, end() ?? Infinity);
        if (position < last) {
          const [text, read] = this.#read(position, last);
          position = read;
          yield text;
        } else if (end() !== undefined || this.#closed) {
          return;
        } else {
          await new Promise<void>((resolve) => this.#waiting.push(resolve));
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #read(position: number, last: number, characters = charactersPerWrite): [text: string, position: number] {
    let text = '';
    let read = position;
    while (read < last && text.length < characters) {
      text += this.#frames[read - this.#before] ?? '';
      read += 1;
    }
    return [text, read];
  }

  /** Wakes readers once per iteration of the event loop, so that events of one iteration are sent together. */
  #wake(): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      for (const resume of this.#waiting.splice(0)) resume();
    });
  }
}

/** The SSE frame of an event. Joined, because V8 stores a template as a tree of its parts, with twice the memory. */
export function frameOf(id: number, event: TurnEvent): string {
  return ['id: ', id, '\nevent: ', event.type, '\ndata: ', JSON.stringify(event), '\n\n'].join('');
}

/** The last event of an answer. */
export function closingOf(answer: TurnAnswer): TurnEvent {
  return answer.error ? { type: 'error', ...answer.error } : { type: 'done', result: answer };
}

/** A log with only the closing event of an answer whose other events have expired. */
export function closedLog(eventsBefore: number, answer: TurnAnswer): { log: TurnEventLog; after: number } {
  const log = new TurnEventLog(eventsBefore);
  log.append(closingOf(answer));
  log.close();
  return { log, after: eventsBefore };
}
