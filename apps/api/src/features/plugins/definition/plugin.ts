import { DomainError, type Document, type FileKind, type PluginKind } from '@docwright/contract';
import type { GroundingBox, Page } from '@docwright/documents';
import type { TextLanguage } from '@docwright/language';
import type { z } from 'zod';

/** A part of a pipeline: a parser, extractor, chunker, embedder or index. */
export interface Plugin {
  id: string;
  kind: PluginKind;
  name: string;
  description: string;
  /** Checks a config and fills in its defaults. Users and models see it as a JSON Schema. */
  config: z.ZodObject;
}

/** The document that a parser reads. */
export interface ParserInput {
  document: Document;
  /** The pages stored at the upload: without hidden text, scans recognised. */
  storedPages(): Promise<Page[]>;
  bytes(): Promise<Uint8Array>;
  signal: AbortSignal;
}

type ParsedPageText = Pick<Page, 'page_num' | 'text'>;

/** A page with its words, if they are known. */
export type ParsedPage = Pick<Page, 'page_num' | 'text' | 'width' | 'height' | 'words'>;

/** Reads a document into pages. Throws a DomainError; its code is the category of the failure. */
export interface ParserPlugin extends Plugin {
  kind: 'parser';
  /** The kinds of files that it is the usual parser of. Templates and the source analyzer follow from this. */
  reads: readonly FileKind[];
  /** Other kinds that it can read. */
  alsoReads?: readonly FileKind[];
  /** The parser that templates give documents that this one could not read. */
  usualFallback?: string;
  parse(input: ParserInput, config: unknown): Promise<ParsedPage[]>;
}

/** A piece of a document. `start` and `end` count UTF-16 units of the page's text. */
export interface Chunk {
  /** Null for fields extracted from the whole document. */
  page_num: number | null;
  start: number;
  end: number;
  text: string;
  heading?: string;
  /** One bounding box for each line; absent if the page cannot be shown. */
  boxes?: GroundingBox[];
  /** The language of the word index; absent until it is detected. */
  language?: TextLanguage;
}

/** Cuts pages into chunks. No chunk crosses a page. */
export interface ChunkerPlugin extends Plugin {
  kind: 'chunker';
  chunk(pages: readonly ParsedPageText[], config: unknown): Chunk[];
}

/**
 * A parser whose `parse` receives a document of a kind that it reads, and a checked, typed config. Without `parse`, it
 * returns the pages that were stored at the upload. `wrong_type` for other kinds, `no_text` if no page has text.
 */
export function defineParser<Config extends z.ZodObject>({
  parse = (input) => input.storedPages(),
  ...parser
}: Omit<ParserPlugin, 'kind' | 'config' | 'parse'> & {
  config: Config;
  parse?: (input: ParserInput, config: z.output<Config>) => Promise<ParsedPage[]>;
}): ParserPlugin {
  const kinds: readonly string[] = [...parser.reads, ...(parser.alsoReads ?? [])];
  return {
    ...parser,
    kind: 'parser',
    async parse(input, config) {
      const { mime_type } = input.document;
      if (!kinds.includes(mime_type)) {
        const message = `This parser does not read files of the type ${mime_type}. Choose the parser for that type.`;
        throw new DomainError('unprocessable', 'wrong_type', message);
      }
      const pages = await parse(input, parser.config.parse(config));
      if (pages.some(({ text }) => text.trim() !== '')) return pages;
      throw new DomainError('unprocessable', 'no_text', 'No page of this document has text. Read scans with OCR.');
    },
  };
}

/** A chunker whose `chunk` receives a checked, typed config. */
export function defineChunker<Config extends z.ZodObject>(
  chunker: Omit<ChunkerPlugin, 'kind' | 'config' | 'chunk'> & {
    config: Config;
    chunk: (pages: readonly ParsedPageText[], config: z.output<Config>) => Chunk[];
  },
): ChunkerPlugin {
  return { ...chunker, kind: 'chunker', chunk: (pages, config) => chunker.chunk(pages, chunker.config.parse(config)) };
}
