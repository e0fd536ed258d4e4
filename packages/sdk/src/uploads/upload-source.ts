import type { OpenedSource } from './multipart.ts';

/** The content of a file with its name. */
export interface NamedContent {
  /** The file name, with its extension. */
  name: string;
  content: Uint8Array | ArrayBuffer | string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
  /** The size of a stream in bytes, for the progress of the upload. */
  size?: number;
}

/**
 * A file to upload: a path or file URL (Node.js only), a `File`, or named bytes, text, blob or stream.
 *
 * @example
 * ```ts
 * import type { UploadSource } from '@docwright/sdk';
 *
 * const sources: UploadSource[] = ['invoice.pdf', { name: 'note.txt', content: 'Total: 5' }];
 * console.log(sources.length);
 * ```
 */
export type UploadSource = string | URL | File | NamedContent;

/** Opens a source for reading. */
export async function openSource(source: UploadSource): Promise<OpenedSource> {
  if (typeof source === 'string' || source instanceof URL) return await openPath(source);
  if (isBlob(source)) return { name: source.name, size: source.size, chunks: () => chunksOf(source.stream()) };
  const { name, content } = source;
  if (isBlob(content)) return { name, size: content.size, chunks: () => chunksOf(content.stream()) };
  if (typeof content === 'object' && Symbol.asyncIterator in content) {
    return { name, size: source.size, chunks: () => content };
  }
  if (content instanceof ReadableStream) return { name, size: source.size, chunks: () => chunksOf(content) };
  const bytes = bytesOf(content);
  return { name, size: bytes.byteLength, chunks: () => slicesOf(bytes) };
}

function bytesOf(content: string | ArrayBuffer | Uint8Array): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return content instanceof ArrayBuffer ? new Uint8Array(content) : content;
}

function isBlob(value: unknown): value is Blob {
  return typeof Blob !== 'undefined' && value instanceof Blob;
}

async function openPath(source: string | URL): Promise<OpenedSource> {
  const { openFile } = await import('./open-file.ts');
  return await openFile(source);
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const sliceSize = 64 * 1024;

/** Yields slices, so that the progress advances. */
async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += sliceSize) yield bytes.subarray(start, start + sliceSize);
}
