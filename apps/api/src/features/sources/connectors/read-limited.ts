import { DomainError } from '@docwright/contract';

/** The body of an answer. Throws `file_too_large` beyond the limit, whatever the answer said about its size. */
export async function readLimited(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      const message = `It is over the ${Math.floor(maxBytes / 1024 / 1024)} MB limit.`;
      throw new DomainError('too_large', 'file_too_large', message);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
