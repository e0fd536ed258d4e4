/** A range of bytes, both ends inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Stores the bytes of files. Ids are those of the database. */
export interface FileStore {
  put(id: string, bytes: Uint8Array, name: string): Promise<void>;
  /** Throws `FileMissing`. */
  read(id: string): Promise<Buffer>;
  /**
   * Each megabyte is read once the previous one is consumed, and nothing stays open in between, so that a stalled reader
   * costs one megabyte. Throws `FileMissing`.
   */
  open(id: string, range: ByteRange): AsyncGenerator<Uint8Array>;
  /** Removes the bytes, if they exist. */
  remove(id: string): Promise<void>;
}

/** The store does not have the file, or no longer all of it. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}
