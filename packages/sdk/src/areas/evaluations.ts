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
import { followEvents } from '../client/follow-events.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

type EvaluationList = z.infer<typeof evaluationList>;
type DifferenceList = z.infer<typeof differenceList>;
export type EvaluationQuery = Partial<z.infer<typeof evaluationListQuery>>;
export type DifferenceQuery = Partial<z.infer<typeof differenceListQuery>>;
export type EvaluationRequest = z.input<typeof createEvaluationBody>;

/** The effects of a change to a prompt on verified results. */
export function createEvaluations(api: OrganizationApi) {
  const list = (query: EvaluationQuery = {}, options?: CallOptions): Promise<EvaluationList> =>
    api.get(['evaluations'], { ...query }, options);
  const differences = (
    evaluationId: string,
    query: DifferenceQuery = {},
    options?: CallOptions,
  ): Promise<DifferenceList> => api.get(['evaluations', evaluationId, 'differences'], { ...query }, options);

  /** The current state and every change, until the evaluation has finished. A broken stream is reopened. */
  const events = (evaluationId: string, options?: CallOptions): AsyncGenerator<EvaluationEvent, void, undefined> =>
    followEvents(api, ['evaluations', evaluationId, 'events'], 'done', options);

  return {
    list,
    listAll: listAllOf(list, ({ evaluations }) => evaluations),
    /** Estimates the cost; starts nothing. */
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
    /** Waits until the evaluation has finished. */
    async wait(evaluationId: string, options?: CallOptions): Promise<Evaluation> {
      for await (const event of events(evaluationId, options)) if (event.type === 'done') return event.evaluation;
      throw clientError(
        'connection_lost',
        `The connection to evaluation ${evaluationId} was lost. It continues on the server.`,
      );
    },
    /** The accuracy of a prompt, measured by user corrections. */
    accuracy: (promptId: string, options?: CallOptions): Promise<PromptAccuracy> =>
      api.get(['prompts', promptId, 'accuracy'], {}, options),
  };
}
