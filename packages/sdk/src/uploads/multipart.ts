import type { OpenedSource } from './upload-source.ts';

export interface UploadProgress {
  /** The name of the file that is on its way. */
  name: string;
  /** Which of the files, from 0. */
  index: number;
  /** Its bytes that have left, and how many there are, where that is known. */
  loaded: number;
  total: number | undefined;
}

/** `multipart/form-data` written as it is sent: no file is held in memory, and how far it has come can be told. */
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
    // What has been asked for has left: nothing is read ahead, so that progress does not run before the socket.
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
    const head = `Content-Disposition: form-data; name="files"; filename="${quoted(name)}"`;
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

/** As a quoted string of a header; what would end the line cannot be part of a name. */
function quoted(name: string): string {
  return name.replaceAll(/[\r\n]/g, ' ').replaceAll(/["\\]/g, String.raw`\$&`);
}
