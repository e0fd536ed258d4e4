import { queryOptions } from '@tanstack/react-query';
import type {
  Extraction,
  ExtractionEstimate,
  extractionList,
  ExtractionVersion,
  ExtractionVersionList,
  patchExtractionBody,
  replaceLevel,
} from '@docwright/contract';
import type { z } from 'zod';
import { documentPath } from './documents-api.ts';
import { queryString, requestJson } from '../http/http.ts';

const path = (orgId: string, documentId: string) => `${documentPath(orgId, documentId)}/extractions`;

export function extractionsQuery(orgId: string, documentId: string) {
  return queryOptions({
    queryKey: ['extractions', orgId, documentId],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof extractionList>>(path(orgId, documentId) + queryString({ limit: 100 }), { signal }),
  });
}

export function readExtraction(orgId: string, documentId: string, promptRevid: string): Promise<Extraction> {
  return requestJson(`${path(orgId, documentId)}/${promptRevid}`);
}

export interface RunOptions {
  /** Without a prompt the server picks the newest that applies. */
  promptRevid?: string | undefined;
  /** What of a person's work may be replaced; nothing unless it is given: the server then answers 409. */
  replace?: z.infer<typeof replaceLevel> | undefined;
}

/** What an extraction would take; nothing runs. */
export function estimateExtraction(
  orgId: string,
  documentId: string,
  promptRevid: string,
): Promise<ExtractionEstimate> {
  const body = { prompt_revid: promptRevid };
  return requestJson(`${path(orgId, documentId)}/estimate`, { method: 'POST', body });
}

/** Runs an extraction and waits for its values. */
export function runExtraction(
  orgId: string,
  documentId: string,
  { promptRevid, replace }: RunOptions = {},
): Promise<Extraction> {
  return requestJson(path(orgId, documentId), { method: 'POST', body: { prompt_revid: promptRevid, replace } });
}

/** Ends an extraction that runs; nothing of it is kept. */
export function stopExtraction(orgId: string, documentId: string, promptRevid: string): Promise<unknown> {
  return requestJson(`${path(orgId, documentId)}/${promptRevid}/stop`, { method: 'POST' });
}

/** Every stored version of a result, the newest first. */
export function extractionVersionsQuery(orgId: string, documentId: string, promptRevid: string) {
  return queryOptions({
    queryKey: ['extractions', orgId, documentId, 'versions', promptRevid],
    queryFn: ({ signal }) =>
      requestJson<ExtractionVersionList>(
        `${path(orgId, documentId)}/${promptRevid}/versions${queryString({ limit: 100 })}`,
        { signal },
      ),
  });
}

/** Brings a version back as a new one. */
export function restoreVersion(
  orgId: string,
  documentId: string,
  promptRevid: string,
  version: number,
): Promise<ExtractionVersion> {
  return requestJson(`${path(orgId, documentId)}/${promptRevid}/versions/${version}/restore`, { method: 'POST' });
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
  promptRevid: string,
  isVerified: boolean,
): Promise<Extraction> {
  return requestJson(`${path(orgId, documentId)}/${promptRevid}/verification`, {
    method: 'PUT',
    body: { is_verified: isVerified },
  });
}
