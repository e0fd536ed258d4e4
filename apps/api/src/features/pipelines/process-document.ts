import {
  DomainError,
  extensionsOf,
  withExactNumbers,
  type Document,
  type Extraction,
  type Pipeline,
} from '@docwright/contract';
import { locateText, type Page } from '@docwright/documents';
import type { EmbeddingClient } from '@docwright/agent-core';
import { languagesOfChunks } from './chunk-languages.ts';
import { chunkerNamed, embedderNamed, parserNamed, splitText, type Chunk, type ParsedPage } from '../plugins/index.ts';
import { setImmediate } from 'node:timers/promises';

/** The inputs of processing a document. */
export interface Processing {
  /** With words if `hasPlaces`. */
  storedPages(document: Document): Promise<Page[]>;
  bytes(documentId: string): Promise<Uint8Array>;
  /** The result of the prompt's revision; undefined if none exists and none is made. */
  extraction(documentId: string, promptRevid: string, signal: AbortSignal): Promise<Extraction | undefined>;
  /** Undefined without an embeddings model. */
  embeddings: EmbeddingClient | undefined;
}

export type ProcessingStage = 'parse' | 'extract' | 'chunk' | 'embed';

export interface ProcessedDocument {
  parser: string;
  pages: number;
  chunks: Chunk[];
  /** The version of the extraction used. */
  extractionVersion: number | undefined;
  /** One vector per chunk if the pipeline has an embedder, and its model. */
  vectors?: Float32Array[];
  embeddingModel?: string;
  /** Milliseconds. */
  timings: Partial<Record<ProcessingStage, number>>;
}

/** The stage in which a document failed, and the cause. */
export class StageError extends Error {
  override readonly name = 'StageError';
  readonly stage: ProcessingStage;
  readonly category: string;

  constructor(stage: ProcessingStage, cause: unknown) {
    const isExpected = cause instanceof DomainError;
    super(isExpected ? cause.message : 'This document could not be processed. See the server log.', {
      cause,
    });
    this.stage = stage;
    this.category = isExpected ? cause.code : 'internal_error';
  }
}

/**
 * Runs a document through a pipeline up to its chunks and vectors, and stores nothing. Throws a StageError, or the
 * signal's reason.
 */
export async function processDocument(
  pipeline: Pipeline,
  document: Document,
  processing: Processing,
  signal: AbortSignal,
): Promise<ProcessedDocument> {
  const timings: ProcessedDocument['timings'] = {};
  async function timed<Result>(stage: ProcessingStage, work: () => Result | Promise<Result>): Promise<Result> {
    const started = performance.now();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw new StageError(stage, error);
    } finally {
      timings[stage] = performance.now() - started;
    }
  }

  const { parser, pages } = await timed('parse', () => parse(pipeline, document, processing, signal));
  const { extract } = pipeline;
  const fields = extract && (await timed('extract', () => extracted(document.id, extract, processing, signal)));
  const yieldToEventLoop = createYield(signal);
  const chunks = await timed('chunk', async () => {
    const cut = chunkerNamed(pipeline.chunker.plugin_id).chunk(pages, pipeline.chunker.config);
    const placed = [...(await withBoxes(document, pages, cut, yieldToEventLoop)), ...(fields?.chunks ?? [])];
    const texts = placed.map(({ text }) => text);
    const languages = await languagesOfChunks(texts, yieldToEventLoop);
    return placed.map((chunk, at): Chunk => ({ ...chunk, language: languages[at]! }));
  });
  const processed = { parser, pages: pages.length, chunks, extractionVersion: fields?.version, timings };
  const { embedder } = pipeline;
  const { embeddings } = processing;
  if (embedder === null || embeddings === undefined) return processed;
  const vectors = await timed('embed', () => embed(embedder, embeddings, chunks, signal));
  return { ...processed, vectors, embeddingModel: embeddings.model };
}

async function parse(
  { parsers }: Pipeline,
  document: Document,
  processing: Processing,
  signal: AbortSignal,
): Promise<{ parser: string; pages: ParsedPage[] }> {
  // The type was detected from the bytes; the file name does not count.
  const extensions = extensionsOf(document.mime_type);
  const entry =
    parsers.find((candidate) => candidate.extensions.some((extension) => extensions.includes(extension))) ??
    parsers.find((candidate) => candidate.extensions.includes('*'));
  if (!entry) {
    const message = `The pipeline has no parser for files of the kind ${extensions[0] ?? document.mime_type}. Add one, or one for *.`;
    throw new DomainError('unprocessable', 'no_parser', message);
  }
  let pages: Promise<Page[]> | undefined;
  const input = {
    document,
    storedPages: () => (pages ??= processing.storedPages(document)),
    bytes: () => processing.bytes(document.id),
    signal,
  };
  try {
    return { parser: entry.plugin_id, pages: await parserNamed(entry.plugin_id).parse(input, entry.config) };
  } catch (error) {
    signal.throwIfAborted();
    if (entry.fallback_plugin_id === undefined || !(error instanceof DomainError)) throw error;
    return { parser: entry.fallback_plugin_id, pages: await parserNamed(entry.fallback_plugin_id).parse(input, {}) };
  }
}

const hasPagesToShow = /^(?:application\/pdf$|image\/)/;

/** Whether the document's words have positions on pages; other kinds of files are shown as text. */
export function hasPlaces({ mime_type }: Pick<Document, 'mime_type'>): boolean {
  return hasPagesToShow.test(mime_type);
}

/** Adds each chunk's boxes on the pages, so that a search need not compute them. */
async function withBoxes(
  document: Document,
  pages: readonly ParsedPage[],
  chunks: readonly Chunk[],
  yieldToEventLoop: () => Promise<void>,
): Promise<Chunk[]> {
  if (!hasPlaces(document)) return [...chunks];
  const boxesOf = new Map<number | null, ReturnType<typeof locateText>>();
  for (const page of pages) {
    boxesOf.set(page.page_num, locateText(page));
    await yieldToEventLoop();
  }
  const placed: Chunk[] = [];
  for (const chunk of chunks) {
    const boxes = boxesOf.get(chunk.page_num)?.(chunk.start, chunk.end) ?? [];
    placed.push(boxes.length === 0 ? chunk : { ...chunk, boxes });
    await yieldToEventLoop();
  }
  return placed;
}

/** An embeddings model's input limit, which many fields exceed. */
const maxFieldCharacters = 4000;

async function extracted(
  documentId: string,
  { prompt_revid }: NonNullable<Pipeline['extract']>,
  processing: Processing,
  signal: AbortSignal,
): Promise<{ chunks: Chunk[]; version: number } | undefined> {
  const extraction = await processing.extraction(documentId, prompt_revid, signal);
  if (!extraction) return undefined;
  const text = fieldLines(withExactNumbers(extraction), '').join('\n');
  const chunks = splitText(text, { start: 0, end: text.length }, maxFieldCharacters).map(({ start, end }) => ({
    page_num: null,
    start,
    end,
    text: text.slice(start, end),
  }));
  return { chunks, version: extraction.version };
}

function fieldLines(value: unknown, path: string): string[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value !== 'object') return [`${path}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, inner]) => fieldLines(inner, path === '' ? name : `${path}.${name}`));
}

async function embed(
  { plugin_id, config }: NonNullable<Pipeline['embedder']>,
  embeddings: EmbeddingClient,
  chunks: readonly Chunk[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { batch_size } = embedderNamed(plugin_id).config.parse(config);
  const vectors: Float32Array[] = [];
  for (let at = 0; at < chunks.length; at += batch_size) {
    const texts = chunks.slice(at, at + batch_size).map(({ text }) => text);
    vectors.push(...(await embeddings.embed(texts, signal)).vectors);
  }
  return vectors;
}

/** How long work can block the event loop. */
const longestMs = 20;

/**
 * Returns a function to await between the pieces of long work: yields to the event loop, and aborts with the signal.
 */
function createYield(signal?: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < longestMs) return;
    await setImmediate();
    signal?.throwIfAborted();
    since = performance.now();
  };
}
