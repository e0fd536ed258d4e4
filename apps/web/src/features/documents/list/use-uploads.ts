import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { messageOf, errorFromText, networkError } from '../../../shared/http/api-error.ts';
import { useToast } from '../../../shared/ui/toasts.tsx';
import { uploadReducer, type DuplicateUpload, type FileUpload } from './upload-reducer.ts';
import type { Document, uploadAnswer } from '@docwright/contract';
import type { z } from 'zod';
import { documentPath, documentsPath, patchDocument } from '../../../shared/api/documents-api.ts';
import { requestJson } from '../../../shared/http/http.ts';

/** Two uploads use the connection well and leave room for the page's own requests. */
const maxParallel = 2;

/** So few files that were chosen together go before what is left of many. */
const fewFiles = 20;

interface QueuedFile {
  id: number;
  file: File;
  autoCreate: boolean | undefined;
  /** How many files were chosen together. */
  batchSize: number;
}

/** The uploads of a page, and what a user does with them. */
export type Uploads = ReturnType<typeof useUploads>;

/** Uploads each file in a request of its own, so that each has its own progress and error. */
export function useUploads(orgId: string, autoCreate: boolean | undefined) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [uploads, dispatch] = useReducer(uploadReducer, []);
  const queue = useRef<QueuedFile[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const counter = useRef(0);
  /** The files that have not arrived, by the id of their upload. */
  const files = useRef(new Map<number, QueuedFile>());

  const sendQueued = useCallback(async () => {
    for (let next = queue.current.shift(); next; next = queue.current.shift()) {
      const { id, file, batchSize, autoCreate: prepares } = next;
      const controller = new AbortController();
      running.current.set(id, controller);
      dispatch({ type: 'progress', id, progress: 0 });
      try {
        const onProgress = (progress: number) => dispatch({ type: 'progress', id, progress });
        const options = { signal: controller.signal, onProgress, autoCreate: prepares, batchSize };
        const document = await uploadFile(orgId, file, options);
        files.current.delete(id);
        dispatch({ type: 'done', id, duplicate: await duplicateOf(orgId, document) });
        void queryClient.invalidateQueries({ queryKey: ['documents', orgId, 'list'] });
      } catch (error) {
        dispatch({ type: 'failed', id, error: messageOf(error) });
      }
      running.current.delete(id);
    }
  }, [orgId, queryClient]);

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (running.current.size > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);

  const send = useCallback(() => {
    for (let free = maxParallel - running.current.size; free > 0; free -= 1) void sendQueued();
  }, [sendQueued]);
  const add = useCallback(
    (added: Iterable<File>) => {
      const chosen = [...added];
      const batchSize = chosen.length;
      const entries = chosen.map((file) => ({ id: (counter.current += 1), file, autoCreate, batchSize }));
      const ofMany = queue.current.findIndex((entry) => entry.batchSize > fewFiles);
      if (batchSize > fewFiles || ofMany === -1) queue.current.push(...entries);
      else queue.current.splice(ofMany, 0, ...entries);
      dispatch({
        type: 'added',
        uploads: entries.map(({ id, file }) => ({ id, name: file.name, size: file.size })),
      });
      for (const entry of entries) files.current.set(entry.id, entry);
      send();
    },
    [send, autoCreate],
  );
  const repeat = useCallback(() => {
    const failed = uploads.filter(({ state }) => state === 'failed');
    queue.current.push(...failed.flatMap(({ id }) => files.current.get(id) ?? []));
    dispatch({ type: 'repeated' });
    send();
  }, [send, uploads]);
  const dismiss = useCallback((id: number) => {
    files.current.delete(id);
    queue.current = queue.current.filter((entry) => entry.id !== id);
    running.current.get(id)?.abort();
    dispatch({ type: 'dismissed', id });
  }, []);
  const dismissAll = useCallback(() => {
    files.current.clear();
    dispatch({ type: 'all_dismissed' });
  }, []);
  const keep = useCallback(
    async ({ id, duplicate }: FileUpload) => {
      if (duplicate === undefined) return;
      try {
        await patchDocument(orgId, duplicate.documentId, { duplicate_of: null });
        dispatch({ type: 'kept', id });
        await queryClient.invalidateQueries({ queryKey: ['documents', orgId, 'list'] });
      } catch (error) {
        toast(messageOf(error), 'bad');
      }
    },
    [orgId, queryClient, toast],
  );
  return {
    uploads,
    add,
    dismiss,
    dismissAll,
    /** Sends all that failed again. */
    repeat,
    /** Makes a duplicate a document of its own, which is read. */
    keep,
  };
}

/** The document that an upload repeats. If it no longer exists, the upload is listed alone. */
async function duplicateOf(orgId: string, { id, duplicate_of }: Document): Promise<DuplicateUpload | undefined> {
  if (duplicate_of === undefined) return undefined;
  const original = await requestJson(documentPath(orgId, duplicate_of), {}).catch(() => undefined);
  return original && { documentId: id, original: { id: original.id, name: original.document_name } };
}

interface UploadOptions {
  /** Receives the share of the bytes that is sent, 0 to 1. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
  /** Whether the agent prepares the document; the organization's default if undefined. */
  autoCreate?: boolean | undefined;
  /** How many files were chosen together. */
  batchSize: number;
}

/** Uploads one file by XMLHttpRequest, since fetch does not report the progress of an upload. */
function uploadFile(orgId: string, file: File, options: UploadOptions): Promise<Document> {
  const { onProgress, signal, autoCreate, batchSize } = options;
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
    request.open('POST', `${documentsPath(orgId)}?batch_size=${batchSize}`);
    request.send(form);
  });
}
