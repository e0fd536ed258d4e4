import type { Document } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../shared/http/api-error.ts';

export interface BulkFailure {
  document: Document;
  message: string;
  /** Left alone on purpose: a person corrected or verified its values. */
  kept: boolean;
}

export interface BulkRun {
  /** What is done, as in “Deleting”. */
  doing: string;
  total: number;
  done: number;
  failures: BulkFailure[];
  state: 'running' | 'over';
}

/** Three at a time: quick, and the server has room for others. */
const atOnce = 3;

/** What is done with one document; answers it where that has changed it. */
export type Work = (document: Document) => Promise<Document | undefined>;

export interface BulkRunner {
  run: BulkRun | undefined;
  /** Does the same with each document; resolves with those for which it worked, as they are then. */
  start: (doing: string, documents: Document[], work: Work) => Promise<Document[]>;
  /** Begins no further document. */
  stop: () => void;
  dismiss: () => void;
}

const keptCodes = new Set(['result_edited', 'result_verified']);
const isKept = (error: unknown) => error instanceof ApiError && keptCodes.has(error.code);

/** One action on many documents: each its own request, so that one that is refused holds up none of the others. */
export function useBulkRun(orgId: string): BulkRunner {
  const queryClient = useQueryClient();
  const [run, setRun] = useState<BulkRun>();
  const stopped = useRef(false);
  const running = useRef(false);
  const start: BulkRunner['start'] = useCallback(
    async (doing, documents, work) => {
      if (running.current) return [];
      running.current = true;
      stopped.current = false;
      setRun({ doing, total: documents.length, done: 0, failures: [], state: 'running' });
      const queue = [...documents];
      const worked: Document[] = [];
      const worker = async () => {
        for (let next = queue.shift(); next && !stopped.current; next = queue.shift()) {
          const document = next;
          let failure: BulkFailure | undefined;
          try {
            worked.push((await work(document)) ?? document);
          } catch (error) {
            failure = { document, message: messageOf(error), kept: isKept(error) };
          }
          setRun(
            (present) =>
              present && {
                ...present,
                done: present.done + 1,
                failures: failure ? [...present.failures, failure] : present.failures,
              },
          );
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      running.current = false;
      setRun((present) => (present && present.failures.length > 0 ? { ...present, state: 'over' } : undefined));
      await queryClient.invalidateQueries({ queryKey: ['documents', orgId] });
      return worked;
    },
    [orgId, queryClient],
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (running.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  const stop = useCallback(() => {
    stopped.current = true;
  }, []);
  const dismiss = useCallback(() => setRun(undefined), []);
  return { run, start, stop, dismiss };
}
