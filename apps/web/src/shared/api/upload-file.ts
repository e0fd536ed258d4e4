import type { Document, uploadAnswer } from '@docwright/contract';
import type { z } from 'zod';
import { errorFromText, networkError } from '../http/api-error.ts';
import { documentsPath } from './documents-api.ts';

export interface UploadWatch {
  /** 0–1 of the bytes that have left. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
  /** Whether the agent prepares it on its own; the organization's default where it is left out. */
  autoCreate?: boolean | undefined;
}

/** Uploads one file. XMLHttpRequest, since fetch does not tell how far an upload has come. */
export function uploadFile(
  orgId: string,
  file: File,
  { onProgress, signal, autoCreate }: UploadWatch,
): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    if (autoCreate !== undefined) form.append('auto_create', String(autoCreate));
    form.append('files', file, file.name);
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      if (request.status !== 201) {
        reject(errorFromText(request.status, request.responseText));
        return;
      }
      const [document] = (JSON.parse(request.responseText) as z.infer<typeof uploadAnswer>).documents;
      if (document) resolve(document);
      else reject(errorFromText(request.status, ''));
    });
    request.addEventListener('error', () => reject(networkError(new TypeError('upload failed'))));
    request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.open('POST', documentsPath(orgId));
    request.send(form);
  });
}
