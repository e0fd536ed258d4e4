/** Limits of one document. A document beyond a limit is rejected with a `ParseError` that names the limit. */
export interface ParseLimits {
  /** Number of pages, for every kind of file. Texts and tables without pages have one for each 65 lines. */
  pages: number;
  /** Number of words on all pages. */
  words: number;
  /** Number of words on one page. */
  pageWords: number;
  /** Number of characters of the text of one page. */
  pageCharacters: number;
  /** Wall-clock time for the whole document in milliseconds, without the wait for a free worker. */
  milliseconds: number;
  /** Time without a finished page, in milliseconds. */
  millisecondsPerPage: number;
  /** Unpacked size of an Office file, and decoded size of text, in bytes. */
  unpackedBytes: number;
  /** Number of files inside of the document that are passed on. All others are named as unread. */
  files: number;
}

/** The limits of uploads. */
export const defaultParseLimits: Readonly<ParseLimits> = {
  pages: 5_000,
  words: 5_000_000,
  pageWords: 100_000,
  pageCharacters: 2_000_000,
  milliseconds: 600_000,
  millisecondsPerPage: 30_000,
  unpackedBytes: 200 * 1024 * 1024,
  files: 0,
};
