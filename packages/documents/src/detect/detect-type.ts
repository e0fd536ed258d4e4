import type { DocumentMimeType } from '../document-mime-type.ts';

/** The kind of document, read from its bytes. */
export function detectType(bytes: Uint8Array, name: string): Promise<DocumentMimeType> {
  return Promise.reject(new Error(`Not yet: ${name} ${bytes.length}`));
}
