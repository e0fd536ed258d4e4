import { queryOptions } from '@tanstack/react-query';
import type {
  Extraction,
  ExtractionEstimate,
  patchExtractionBody,
  replaceLevel,
  SeenValues,
} from '@docwright/contract';
import type { z } from 'zod';
import { documentPath } from './documents-api.ts';
import { requestJson } from '../http/http.ts';

const path = (orgId: string, documentId: string) => `${documentPath(orgId, documentId)}/extractions` as const;

export function extractionsQuery(orgId: string, documentId: string) {
  return queryOptions({
    queryKey: ['extractions', orgId, documentId],
    queryFn: ({ signal }) => requestJson(path(orgId, documentId), { query: { limit: 100 }, signal }),
  });
}

export function readExtraction(
  orgId: string,
  documentId: string,
  promptRevid: string,
  options: { signal?: AbortSignal } = {},
): Promise<Extraction> {
  return requestJson(`${path(orgId, documentId)}/${promptRevid}`, options);
}

/** A result with the risks of its values, which the list of results lacks; read anew for each state of the result. */
export function extractionReviewQuery(
  orgId: string,
  {
    document_id,
    prompt_revid,
    version,
    is_verified,
  }: Pick<Extraction, 'document_id' | 'prompt_revid' | 'version' | 'is_verified'>,
) {
  return queryOptions({
    queryKey: ['extraction-review', orgId, document_id, prompt_revid, version, is_verified],
    queryFn: ({ signal }) => readExtraction(orgId, document_id, prompt_revid, { signal }),
  });
}

export interface RunOptions {
  /** Without it, the server picks the newest prompt that applies. */
  promptRevid?: string | undefined;
  /** Which manual edits may be replaced. Without it, none: the server answers 409 if there are any. */
  replace?: z.infer<typeof replaceLevel> | undefined;
  /** The version that the user saw: the server answers 409 `version_conflict` at another one. */
  baseVersion?: number | undefined;
}

/** The cost of an extraction; starts nothing. */
export function estimateExtraction(
  orgId: string,
  documentId: string,
  promptRevid: string,
): Promise<ExtractionEstimate> {
  const body = { prompt_revid: promptRevid };
  return requestJson(`${path(orgId, documentId)}/estimate`, { method: 'POST', body });
}

/** Runs an extraction and waits for its result. */
export function runExtraction(
  orgId: string,
  documentId: string,
  { promptRevid, replace, baseVersion }: RunOptions = {},
): Promise<Extraction> {
  const body = { prompt_revid: promptRevid, replace, base_version: baseVersion };
  return requestJson(path(orgId, documentId), { method: 'POST', body });
}

/** Stops a running extraction; it stores no result. */
export function stopExtraction(orgId: string, documentId: string, promptRevid: string): Promise<unknown> {
  return requestJson(`${path(orgId, documentId)}/${promptRevid}/stop`, { method: 'POST' });
}

/** The stored versions of a result, newest first, at most 100. */
export function extractionVersionsQuery(orgId: string, documentId: string, promptRevid: string) {
  return queryOptions({
    queryKey: ['extractions', orgId, documentId, 'versions', promptRevid],
    queryFn: ({ signal }) =>
      requestJson(`${path(orgId, documentId)}/${promptRevid}/versions`, { query: { limit: 100 }, signal }),
  });
}

/** Stores an old version as the newest one, if the result is still at the version that the user saw. */
export function restoreVersion(
  orgId: string,
  documentId: string,
  { prompt_revid, version: base_version }: Pick<Extraction, 'prompt_revid' | 'version'>,
  version: number,
): Promise<Extraction> {
  const address = `${path(orgId, documentId)}/${prompt_revid}/versions/${version}/restore` as const;
  return requestJson(address, { method: 'POST', body: { base_version } });
}

export interface FieldChange extends z.input<typeof patchExtractionBody> {
  promptRevid: string;
}

export function patchExtraction(orgId: string, documentId: string, change: FieldChange): Promise<Extraction> {
  const { promptRevid, ...body } = change;
  return requestJson(`${path(orgId, documentId)}/${promptRevid}`, { method: 'PATCH', body });
}

export function setVerified(
  orgId: string,
  documentId: string,
  { prompt_revid, version }: { prompt_revid: string; /** The version that the user saw. */ version: number },
  isVerified: boolean,
  seen: SeenValues = {},
): Promise<Extraction> {
  return requestJson(`${path(orgId, documentId)}/${prompt_revid}/verification`, {
    method: 'PUT',
    body: { is_verified: isVerified, base_version: version, ...seen },
  });
}
