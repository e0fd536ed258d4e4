import { setTimeout as sleep } from 'node:timers/promises';
import type { RunDocument, RunEvent } from '@docwright/contract';
import type { RunService } from './run-service.ts';

/** Between two looks: the records are the only thing that all processes share. */
const pollMs = 500;
const pageSize = 100;

/**
 * How a run stands now, every change of it and of its documents, and its end, until `signal` aborts.
 * Throws `run_not_found` where there is none to begin with.
 */
export async function* runEvents(
  service: Pick<RunService, 'get' | 'documents'>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const told = new Map<string, string>();
  let sent = '';
  while (!signal.aborted) {
    const run = await service.get(id);
    const written = JSON.stringify(run);
    if (written !== sent) {
      const first = sent === '';
      sent = written;
      if (first) yield { type: 'run', run };
      for await (const document of changed(service, id, told)) yield { type: 'document', run_id: id, document };
      if (!first) yield { type: 'run', run };
    }
    // What was decided after the run's end is still being carried out.
    const isWorking = run.waiting + run.running > run.parked;
    if (run.ended_at !== null && !isWorking && run.undo?.state !== 'running') {
      yield { type: 'done', run };
      return;
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Documents that are no longer as `told` has them, which it is brought up to date with. */
async function* changed(
  service: Pick<RunService, 'documents'>,
  id: string,
  told: Map<string, string>,
): AsyncGenerator<RunDocument> {
  for (let skip = 0; ; skip += pageSize) {
    const { documents, total_count } = await service.documents(id, { skip, limit: pageSize });
    for (const document of documents) {
      const written = JSON.stringify(document);
      const waits = document.state === 'queued' && !told.has(document.document_id);
      if (waits || told.get(document.document_id) === written) continue;
      told.set(document.document_id, written);
      yield document;
    }
    if (skip + pageSize >= total_count) return;
  }
}
