import type {
  createEvaluationBody,
  differenceListQuery,
  Evaluation,
  EvaluationEvent,
  evaluationListQuery,
} from '@docwright/contract';
import type { z } from 'zod';
import { clientError } from '../client/docwright-error.ts';
import { listAllOf } from '../client/every-page.ts';
import { followEvents } from '../client/follow-events.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** Filter and page of `evaluations.list`. */
export type EvaluationQuery = Partial<z.infer<typeof evaluationListQuery>>;
/** Filter and page of `evaluations.differences`. */
export type DifferenceQuery = Partial<z.infer<typeof differenceListQuery>>;
/** The body of `evaluations.start`: a prompt, and the changes to measure. */
export type EvaluationRequest = z.input<typeof createEvaluationBody>;

/** Measurements of a changed prompt on verified results. */
export function createEvaluations(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/evaluations', 'query');
  const differences = api.operation('GET /v0/orgs/:org_id/evaluations/:evaluation_id/differences', 'query');

  /** Yields the current state and every change, up to `done`. A lost connection is reopened. */
  const events = (evaluationId: string, options?: CallOptions): AsyncGenerator<EvaluationEvent, void, undefined> =>
    followEvents(api, ['evaluations', evaluationId, 'events'], 'done', options);

  return {
    /** Lists a page of evaluations, the newest first. */
    list,
    /** Yields all evaluations that match the query, the newest first. */
    listAll: listAllOf(list, ({ evaluations }) => evaluations),
    /** Estimates the cost of an evaluation. Starts nothing. */
    estimate: api.operation('POST /v0/orgs/:org_id/evaluations/estimate', 'body'),
    /**
     * Starts an evaluation. `wait` waits for its result.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const body = { prompt_id: '652f1c0a9d3e4b5f6a7b8c9d', content: 'Extract the invoice. Amounts are net.' };
     * const { id } = await docwright.evaluations.start(body);
     * const { totals } = await docwright.evaluations.wait(id);
     * console.log(totals.fixed, totals.broken, totals.accuracy_after);
     * ```
     */
    start: api.operation('POST /v0/orgs/:org_id/evaluations', 'body'),
    /** The current state of an evaluation. */
    get: api.operation('GET /v0/orgs/:org_id/evaluations/:evaluation_id'),
    /** Lists a page of the values that differ before and after the change. */
    differences,
    /** Stops an evaluation. */
    stop: api.operation('POST /v0/orgs/:org_id/evaluations/:evaluation_id/stop'),
    events,
    /**
     * Waits until an evaluation has finished.
     *
     * @throws DocwrightError `connection_lost` if the connection is lost too often. The evaluation continues.
     */
    async wait(evaluationId: string, options?: CallOptions): Promise<Evaluation> {
      for await (const event of events(evaluationId, options)) if (event.type === 'done') return event.evaluation;
      throw clientError(
        'connection_lost',
        `The connection to evaluation ${evaluationId} was lost. It continues on the server.`,
      );
    },
    /** The accuracy of a prompt, measured by the corrections of users. */
    accuracy: api.operation('GET /v0/orgs/:org_id/prompts/:id/accuracy'),
  };
}
