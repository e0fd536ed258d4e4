/** What one document may cost. A document beyond a limit is refused with a `ParseError` that names the limit. */
export interface ParseLimits {
  /** Pages of the document. */
  pages: number;
  /** Words kept, over all pages. */
  words: number;
  /** Wall-clock time for the whole document, waiting for a free worker not included. */
  milliseconds: number;
  /** Time without a finished page. */
  millisecondsPerPage: number;
  /** Unpacked size of an Office file, and decoded size of text. */
  unpackedBytes: number;
}

export const defaultParseLimits: Readonly<ParseLimits> = {
  pages: 5_000,
  words: 5_000_000,
  milliseconds: 600_000,
  millisecondsPerPage: 30_000,
  unpackedBytes: 200 * 1024 * 1024,
};
