import type { TurnAnswer, TurnEvent } from '@docwright/contract';
import type { StoredFrames } from './turn-event-repository.ts';

/** Frames that leave in one write, so that a long replay still waits for a slow reader. */
const charactersAWrite = 64 * 1024;
/** Frames that are stored in one record, well below what one may hold. */
const charactersARecord = 1024 * 1024;

/**
 * What a turn has said, as the SSE frames it is sent in: written once, read by any number of readers at their own pace.
 * A reader keeps a position and no queue, so a slow one costs nothing. Ids count from 1 over the pauses of the turn.
 */
export class TurnEventLog {
  readonly #frames: string[] = [];
  /** Ids of `done` and `error`: the ends of a response. */
  readonly #closings: number[] = [];
  readonly #before: number;
  #size = 0;
  #waiting: (() => void)[] = [];
  #isWaking = false;
  #closed = false;
  #storedTo: number;
  #storing: Promise<void> = Promise.resolve();

  /** `before`: how many events of the turn were emitted before this log existed. */
  constructor(before = 0) {
    this.#before = before;
    this.#storedTo = before;
  }

  /** The id after which this log knows everything. */
  get before(): number {
    return this.#before;
  }

  get lastId(): number {
    return this.#before + this.#frames.length;
  }

  /** Whether no more events follow here. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Characters kept. */
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

  /** Stores the events that are not stored yet, one range after the other; a range that failed is tried again. */
  flush(store: (batches: StoredFrames[]) => Promise<void>): Promise<void> {
    const write = async () => {
      const last = this.lastId;
      if (last === this.#storedTo) return;
      await store(this.#recordsOf(this.#storedTo, last));
      this.#storedTo = last;
    };
    this.#storing = this.#storing.then(write, write);
    return this.#storing;
  }

  #recordsOf(after: number, last: number): StoredFrames[] {
    const records: StoredFrames[] = [];
    for (let position = after; position < last;) {
      const [frames, read] = this.#read(position, last, charactersARecord);
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
   * The frames after an id, as they come, several in one text where they came together. With `untilClosing` it ends
   * after the next `done` or `error`, else when the log is closed; in both cases when the signal aborts.
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

  #read(position: number, last: number, characters = charactersAWrite): [text: string, position: number] {
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

/** An event as it is sent. Joined, since V8 would keep a template as a tree of its parts, twice the size in memory. */
export function frameOf(id: number, event: TurnEvent): string {
  return ['id: ', id, '\nevent: ', event.type, '\ndata: ', JSON.stringify(event), '\n\n'].join('');
}

/** The last event of an answer. */
export function closingOf(answer: TurnAnswer): TurnEvent {
  return answer.error ? { type: 'error', ...answer.error } : { type: 'done', result: answer };
}

/** The closing event alone, of an answer whose other events are no longer known. */
export function closedLog(eventsBefore: number, answer: TurnAnswer): { log: TurnEventLog; after: number } {
  const log = new TurnEventLog(eventsBefore);
  log.append(closingOf(answer));
  log.close();
  return { log, after: eventsBefore };
}
