import { headerBytes } from './message.ts';
import { maxMessageBytes } from '../limits.ts';

const maxFrameBytes = maxMessageBytes + 65_536;

/** Splits a stream of bytes into messages. */
export class Frames {
  #chunks: Buffer[] = [];
  #size = 0;
  #needed = headerBytes;

  /** The complete messages so far. Throws when a length is impossible. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Buffer[] = [];
    if (this.#size < this.#needed) return messages;
    let rest = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size);
    this.#needed = headerBytes;
    while (rest.length >= headerBytes) {
      const length = rest.readInt32LE(0);
      if (length < headerBytes + 5 || length > maxFrameBytes) {
        throw new RangeError(`message length ${length} is not possible`);
      }
      this.#needed = length;
      if (rest.length < length) break;
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      this.#needed = headerBytes;
    }
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return messages;
  }
}
