/** A source that can be read once. */
export interface OpenedSource {
  name: string;
  size: number | undefined;
  chunks: () => AsyncIterable<Uint8Array>;
}

/** The progress of an upload of one or more files. */
export interface UploadProgress {
  /** The name of the current file. */
  name: string;
  /** Index of the current file, from 0. */
  index: number;
  /** Number of bytes of the file that were sent. */
  loaded: number;
  /** Size of the file in bytes, if known. */
  total: number | undefined;
}

/** Streams `multipart/form-data`, so that no file is held in memory and the progress is known. */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  files: readonly OpenedSource[],
  onProgress?: (progress: UploadProgress) => void,
): { body: ReadableStream<Uint8Array>; contentType: string } {
  const boundary = `docwright-${crypto.randomUUID()}`;
  const chunks = writeParts(boundary, fields, files, onProgress);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return();
      },
    },
    // Without a queue, the progress does not run ahead of the socket.
    { highWaterMark: 0 },
  );
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

async function* writeParts(
  boundary: string,
  fields: Readonly<Record<string, string>>,
  files: readonly OpenedSource[],
  onProgress?: (progress: UploadProgress) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for (const [name, value] of Object.entries(fields)) {
    yield encoder.encode(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  }
  for (const [index, { name, size, chunks }] of files.entries()) {
    const head = `Content-Disposition: form-data; name="files"; filename="${escapeQuoted(name)}"`;
    yield encoder.encode(`--${boundary}\r\n${head}\r\nContent-Type: application/octet-stream\r\n\r\n`);
    let loaded = 0;
    onProgress?.({ name, index, loaded, total: size });
    for await (const chunk of chunks()) {
      yield chunk;
      loaded += chunk.byteLength;
      onProgress?.({ name, index, loaded, total: size });
    }
    yield encoder.encode('\r\n');
  }
  yield encoder.encode(`--${boundary}--\r\n`);
}

/** Escapes a quoted string of a header. Line ends become spaces. */
function escapeQuoted(name: string): string {
  return name.replaceAll(/[\r\n]/g, ' ').replaceAll(/["\\]/g, String.raw`\$&`);
}
