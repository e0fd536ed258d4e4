import type {
  createEvaluationBody,
  differenceList,
  differenceListQuery,
  Evaluation,
  EvaluationEstimate,
  EvaluationEvent,
  evaluationList,
  evaluationListQuery,
  PromptAccuracy,
} from '@docwright/contract';
import type { z } from 'zod';
import { clientError } from '../client/docwright-error.ts';
import { listAllOf } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import { followState } from './document-events.ts';

type EvaluationList = z.infer<typeof evaluationList>;
type DifferenceList = z.infer<typeof differenceList>;
export type EvaluationQuery = Partial<z.infer<typeof evaluationListQuery>>;
export type DifferenceQuery = Partial<z.infer<typeof differenceListQuery>>;
export type EvaluationRequest = z.input<typeof createEvaluationBody>;

/** What a change to a prompt does to results that people have verified. */
export function createEvaluations(api: OrganizationApi) {
  const list = (query: EvaluationQuery = {}, options?: CallOptions): Promise<EvaluationList> =>
    api.get(['evaluations'], { ...query }, options);
  const differences = (
    evaluationId: string,
    query: DifferenceQuery = {},
    options?: CallOptions,
  ): Promise<DifferenceList> => api.get(['evaluations', evaluationId, 'differences'], { ...query }, options);

  /** How it stands and every change of that, to its end; a stream that breaks is opened anew. */
  async function* events(
    evaluationId: string,
    options?: CallOptions,
  ): AsyncGenerator<EvaluationEvent, void, undefined> {
    const headers = { accept: 'text/event-stream' };
    const open = () => api.open(['evaluations', evaluationId, 'events'], { ...options, headers });
    for await (const data of followState(open, options?.signal)) {
      const event = JSON.parse(data) as EvaluationEvent;
      yield event;
      if (event.type === 'done') return;
    }
  }

  return {
    list,
    listAll: listAllOf(list, ({ evaluations }) => evaluations),
    /** What it would cost; starts nothing. */
    estimate: (body: EvaluationRequest, options?: CallOptions): Promise<EvaluationEstimate> =>
      api.send('POST', ['evaluations', 'estimate'], body, options),
    start: (body: EvaluationRequest, options?: CallOptions): Promise<Evaluation> =>
      api.send('POST', ['evaluations'], body, options),
    get: (evaluationId: string, options?: CallOptions): Promise<Evaluation> =>
      api.get(['evaluations', evaluationId], {}, options),
    differences,
    stop: (evaluationId: string, options?: CallOptions): Promise<Evaluation> =>
      api.send('POST', ['evaluations', evaluationId, 'stop'], undefined, options),
    events,
    /** Waits for its end. */
    async wait(evaluationId: string, options?: CallOptions): Promise<Evaluation> {
      for await (const event of events(evaluationId, options)) if (event.type === 'done') return event.evaluation;
      throw clientError(
        'connection_lost',
        `The connection to evaluation ${evaluationId} was lost. It goes on in the server.`,
      );
    },
    /** How right a prompt is, by what people corrected. */
    accuracy: (promptId: string, options?: CallOptions): Promise<PromptAccuracy> =>
      api.get(['prompts', promptId, 'accuracy'], {}, options),
  };
}
