import { queryOptions } from '@tanstack/react-query';
import type { Extraction, extractionList, patchExtractionBody } from '@docwright/contract';
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

/** Runs the extraction; without a prompt the server picks the newest that applies. */
export function runExtraction(orgId: string, documentId: string, promptRevid?: string): Promise<Extraction> {
  return requestJson(path(orgId, documentId), {
    method: 'POST',
    body: promptRevid === undefined ? {} : { prompt_revid: promptRevid },
  });
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
