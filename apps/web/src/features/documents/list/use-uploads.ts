import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { uploadFile } from '../../../shared/api/upload-file.ts';
import { uploadReducer, type Upload } from './upload-reducer.ts';

/** Two at a time keep the line busy without starving the page's own requests. */
const atOnce = 2;

interface Uploads {
  uploads: Upload[];
  add: (files: Iterable<File>) => void;
  dismiss: (id: number) => void;
  dismissAll: () => void;
}

/** Sends files one request each, so that each has its own progress and its own error. */
export function useUploads(orgId: string, autoCreate: boolean | undefined): Uploads {
  const queryClient = useQueryClient();
  const [uploads, dispatch] = useReducer(uploadReducer, []);
  const queue = useRef<{ id: number; file: File; autoCreate: boolean | undefined }[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const counter = useRef(0);

  const work = useCallback(async () => {
    for (let next = queue.current.shift(); next; next = queue.current.shift()) {
      const { id, file, autoCreate: prepares } = next;
      const controller = new AbortController();
      running.current.set(id, controller);
      dispatch({ type: 'progress', id, progress: 0 });
      try {
        const onProgress = (progress: number) => dispatch({ type: 'progress', id, progress });
        await uploadFile(orgId, file, { signal: controller.signal, onProgress, autoCreate: prepares });
        dispatch({ type: 'done', id });
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

  const add = useCallback(
    (files: Iterable<File>) => {
      const entries = [...files].map((file) => ({ id: (counter.current += 1), file, autoCreate }));
      queue.current.push(...entries);
      dispatch({
        type: 'added',
        uploads: entries.map(({ id, file }) => ({ id, name: file.name, size: file.size })),
      });
      for (let free = atOnce - running.current.size; free > 0; free -= 1) void work();
    },
    [work, autoCreate],
  );
  const dismiss = useCallback((id: number) => {
    queue.current = queue.current.filter((entry) => entry.id !== id);
    running.current.get(id)?.abort();
    dispatch({ type: 'dismissed', id });
  }, []);
  const dismissAll = useCallback(() => dispatch({ type: 'all_dismissed' }), []);
  return { uploads, add, dismiss, dismissAll };
}
