import type { Document, PluginKind } from '@docwright/contract';
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

/** A parser whose `parse` receives a checked, typed config. */
export function defineParser<Config extends z.ZodObject>(
  parser: Omit<ParserPlugin, 'kind' | 'config' | 'parse'> & {
    config: Config;
    parse: (input: ParserInput, config: z.output<Config>) => Promise<ParsedPage[]>;
  },
): ParserPlugin {
  return { ...parser, kind: 'parser', parse: (input, config) => parser.parse(input, parser.config.parse(config)) };
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
