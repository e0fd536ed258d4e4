import { setTimeout as sleep } from 'node:timers/promises';
import type { EvaluationEvent } from '@docwright/contract';
import type { EvaluationService } from './evaluation-service.ts';

/** Between two looks: the records are the only thing that all processes share. */
const pollEveryMs = 500;

/** How an evaluation stands now, every change of it, and its end, until `signal` aborts. @throws `evaluation_not_found` */
export async function* evaluationEvents(
  service: Pick<EvaluationService, 'get'>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<EvaluationEvent> {
  let sent = '';
  while (!signal.aborted) {
    const evaluation = await service.get(id);
    const written = JSON.stringify(evaluation);
    if (written !== sent) {
      sent = written;
      yield { type: 'evaluation', evaluation };
    }
    if (evaluation.ended_at !== null) {
      yield { type: 'done', evaluation };
      return;
    }
    await sleep(pollEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
