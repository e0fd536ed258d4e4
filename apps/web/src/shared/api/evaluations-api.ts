import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  CallEvaluation,
  CallEvaluationStarted,
  createEvaluationBody,
  Evaluation,
  TurnAnswer,
} from '@docwright/contract';
import type { z } from 'zod';
import { requestJson, requestUndescribed, send } from '../http/http.ts';
import { chatPath, type ChatPlace } from './chat-api.ts';

const measuringPollMs = 1_000;
/** Verified results can change at any time. */
const idlePollMs = 15_000;

export const isMeasuring = (evidence: CallEvaluation | undefined): boolean =>
  evidence?.evaluation !== undefined && evidence.evaluation.ended_at === null;

/** The current evaluation of a pending call; null if its preview has none. */
export function callEvidenceQuery(place: ChatPlace, turnId: string, callId: string) {
  return queryOptions({
    queryKey: ['call-evidence', place.orgId, turnId, callId],
    queryFn: async ({ signal }): Promise<CallEvaluation | null> => {
      const turn = await requestUndescribed<TurnAnswer>(`${chatPath(place)}/turns/${turnId}`, { signal });
      const preview = turn.tool_calls.find(({ id }) => id === callId)?.preview;
      return preview?.kind === 'difference' ? (preview.evaluation ?? null) : null;
    },
    refetchInterval: ({ state }) => (isMeasuring(state.data ?? undefined) ? measuringPollMs : idlePollMs),
  });
}

export function measureCall(place: ChatPlace, turnId: string, callId: string): Promise<CallEvaluationStarted> {
  return requestUndescribed(`${chatPath(place)}/turns/${turnId}/calls/${callId}/evaluate`, {
    method: 'POST',
    body: {},
  });
}

export async function stopEvaluation(orgId: string, id: string): Promise<void> {
  await send(`/v0/orgs/${orgId}/evaluations/${id}/stop`, { method: 'POST' });
}

/** The first 50 differences of an evaluation, broken values first. */
export function differencesQuery(orgId: string, id: string, done: number) {
  return queryOptions({
    queryKey: ['evaluation-differences', orgId, id, done],
    queryFn: ({ signal }) =>
      requestJson(`/v0/orgs/${orgId}/evaluations/${id}/differences`, { query: { limit: 50 }, signal }),
  });
}

/** An evaluation's differences in one document. */
export function documentDifferencesQuery(orgId: string, id: string, documentId: string) {
  return queryOptions({
    queryKey: ['evaluation-differences', orgId, id, 'of', documentId],
    queryFn: ({ signal }) =>
      requestJson(`/v0/orgs/${orgId}/evaluations/${id}/differences`, {
        query: { document_id: documentId, limit: 100 },
        signal,
      }),
  });
}

/** A prompt's accuracy, measured against corrected and verified values. */
export function accuracyQuery(orgId: string, promptId: string) {
  return queryOptions({
    queryKey: ['prompt-accuracy', orgId, promptId],
    queryFn: ({ signal }) => requestJson(`/v0/orgs/${orgId}/prompts/${promptId}/accuracy`, { signal }),
  });
}

/** An unsaved change of a prompt. */
export type PromptChange = Pick<
  z.input<typeof createEvaluationBody>,
  'prompt_id' | 'content' | 'model' | 'examples' | 'schema_id' | 'response_format'
>;

/** The cost of evaluating a change; starts nothing. */
export function estimateQuery(orgId: string, change: PromptChange) {
  return queryOptions({
    queryKey: ['evaluation-estimate', orgId, change],
    queryFn: ({ signal }) =>
      requestJson(`/v0/orgs/${orgId}/evaluations/estimate`, {
        method: 'POST',
        body: change,
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export function startEvaluation(orgId: string, change: PromptChange): Promise<Evaluation> {
  return requestJson(`/v0/orgs/${orgId}/evaluations`, { method: 'POST', body: change });
}

/** An evaluation, polled until it has finished. */
export function evaluationQuery(orgId: string, id: string) {
  return queryOptions({
    queryKey: ['evaluation', orgId, id],
    queryFn: ({ signal }) => requestJson(`/v0/orgs/${orgId}/evaluations/${id}`, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.ended_at === null ? measuringPollMs : false,
  });
}
