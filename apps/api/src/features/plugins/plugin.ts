import type { Document, PluginKind } from '@docwright/contract';
import type { GroundingBox, Page } from '@docwright/documents';
import type { TextLanguage } from '@docwright/language';
import type { z } from 'zod';

/** What every part of a pipeline says of itself. */
export interface Plugin {
  id: string;
  kind: PluginKind;
  name: string;
  description: string;
  /** Checks a config and fills in its defaults; people and models see it as a JSON Schema. */
  config: z.ZodObject;
}

/** A document as a parser meets it. */
export interface ParserInput {
  document: Document;
  /** The pages as they were read at the upload, hidden text left out, scans recognised. */
  storedPages(): Promise<Page[]>;
  bytes(): Promise<Uint8Array>;
  signal: AbortSignal;
}

type ParsedPageText = Pick<Page, 'page_num' | 'text'>;

/** With the words that the text was made of, where they are known. */
export type ParsedPage = Pick<Page, 'page_num' | 'text' | 'width' | 'height' | 'words'>;

/** Reads documents into pages. Throws a DomainError whose code is the category of the failure. */
export interface ParserPlugin extends Plugin {
  kind: 'parser';
  parse(input: ParserInput, config: unknown): Promise<ParsedPage[]>;
}

/** A piece of a document and its place: `start` and `end` count UTF-16 units of the page's text. */
export interface Chunk {
  /** Null for what was extracted from the document as a whole. */
  page_num: number | null;
  start: number;
  end: number;
  text: string;
  heading?: string;
  /** Where it stands on its page, a box for each line; absent where it has no place on a page that can be shown. */
  boxes?: GroundingBox[];
  /** The one that its words are indexed in; absent before that is told. */
  language?: TextLanguage;
}

/** Cuts pages into chunks, none of which goes beyond its page. */
export interface ChunkerPlugin extends Plugin {
  kind: 'chunker';
  chunk(pages: readonly ParsedPageText[], config: unknown): Chunk[];
}

/** A parser whose `parse` gets its config checked and typed. */
export function defineParser<Config extends z.ZodObject>(
  parser: Omit<ParserPlugin, 'kind' | 'config' | 'parse'> & {
    config: Config;
    parse: (input: ParserInput, config: z.output<Config>) => Promise<ParsedPage[]>;
  },
): ParserPlugin {
  return { ...parser, kind: 'parser', parse: (input, config) => parser.parse(input, parser.config.parse(config)) };
}

/** A chunker whose `chunk` gets its config checked and typed. */
export function defineChunker<Config extends z.ZodObject>(
  chunker: Omit<ChunkerPlugin, 'kind' | 'config' | 'chunk'> & {
    config: Config;
    chunk: (pages: readonly ParsedPageText[], config: z.output<Config>) => Chunk[];
  },
): ChunkerPlugin {
  return { ...chunker, kind: 'chunker', chunk: (pages, config) => chunker.chunk(pages, chunker.config.parse(config)) };
}
