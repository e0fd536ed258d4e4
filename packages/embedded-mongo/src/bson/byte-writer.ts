const maxRetainedBytes = 1 << 20;
const initialBytes = 1 << 14;

/** Writes into a reusable buffer that grows. Numbers are little-endian unless the method's name has `BigEndian`. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(initialBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns a copy of the written bytes and empties the writer. */
  take(): Buffer {
    const bytes = Buffer.from(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    if (this.#buffer.length > maxRetainedBytes) this.#buffer = Buffer.allocUnsafe(initialBytes);
    return bytes;
  }

  /** Discards the bytes of an attempt that threw. */
  reset(): this {
    this.#length = 0;
    return this;
  }

  byte(value: number): void {
    const start = this.#reserve(1);
    this.#buffer[start] = value;
  }

  bytes(value: Uint8Array): void {
    const start = this.#reserve(value.length);
    this.#buffer.set(value, start);
  }

  int32(value: number): void {
    const start = this.#reserve(4);
    this.#buffer.writeInt32LE(value, start);
  }

  unsignedBigEndian(value: number): void {
    const start = this.#reserve(4);
    this.#buffer.writeUInt32BE(value >>> 0, start);
  }

  int64(value: bigint): void {
    const start = this.#reserve(8);
    this.#buffer.writeBigInt64LE(value, start);
  }

  double(value: number): void {
    const start = this.#reserve(8);
    this.#buffer.writeDoubleLE(value, start);
  }

  doubleBigEndian(value: number): void {
    const start = this.#reserve(8);
    this.#buffer.writeDoubleBE(value, start);
  }

  /** UTF-8 and a zero byte. */
  text(value: string): void {
    const start = this.#reserve(Buffer.byteLength(value) + 1);
    this.#buffer.write(value, start, 'utf8');
    this.#buffer[this.#length - 1] = 0;
  }

  /** Overwrites four existing bytes. */
  int32At(position: number, value: number): void {
    this.#buffer.writeInt32LE(value, position);
  }

  byteAt(position: number): number {
    return this.#buffer[position]!;
  }

  /** Inverts all bits from a position to the end. */
  invertFrom(position: number): void {
    for (let at = position; at < this.#length; at++) this.#buffer[at]! ^= 0xff;
  }

  flipSign(position: number): void {
    this.#buffer[position]! ^= 0x80;
  }

  /**
   * Makes room and returns the offset of the new bytes. Call it in a statement of its own: it can replace the buffer,
   * and an expression such as `this.#buffer[this.#reserve(1)] = 0` would write to the old buffer.
   */
  #reserve(size: number): number {
    const start = this.#length;
    this.#length += size;
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length));
      this.#buffer.copy(larger, 0, 0, start);
      this.#buffer = larger;
    }
    return start;
  }
}
