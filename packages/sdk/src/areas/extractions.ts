import type {
  Extraction,
  ExtractionEstimate,
  ExtractionEvent,
  ExtractionProgress,
  ExtractionVersion,
  ExtractionVersionList,
  extractionList,
  patchExtractionBody,
  ReplaceLevel,
} from '@docwright/contract';
import type { z } from 'zod';
import { DocwrightError } from '../client/docwright-error.ts';
import { everyPage } from '../client/every-page.ts';
import { followEvents } from '../client/follow-events.ts';
import { modelTimeout, type OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import type { PageRequest } from './page-request.ts';

type ExtractionList = z.infer<typeof extractionList>;

/** Results: one for each document and revision of a prompt. */
export function createExtractions(api: OrganizationApi) {
  const at = (documentId: string, ...rest: string[]) => ['documents', documentId, 'extractions', ...rest];
  const list = (documentId: string, query: PageRequest = {}, options?: CallOptions): Promise<ExtractionList> =>
    api.get(at(documentId), { ...query }, options);
  return {
    /** The last changed first. */
    list,
    listAll: (documentId: string, query: PageRequest = {}, options?: CallOptions) =>
      everyPage(
        query,
        (page) => list(documentId, page, options),
        ({ extractions }) => extractions,
      ),
    get: (documentId: string, promptRevid: string, options?: CallOptions): Promise<Extraction> =>
      api.get(at(documentId, promptRevid), {}, options),
    /** The result that changed last. @throws DocwrightError `no_extraction` when the document has none. */
    async latest(documentId: string, options?: CallOptions): Promise<Extraction> {
      const [newest] = (await list(documentId, { limit: 1 }, options)).extractions;
      if (newest !== undefined) return newest;
      const message = 'This document has no extraction yet: run one, or ask for one in the chat.';
      throw new DocwrightError({ code: 'no_extraction', message, status: 404 });
    },
    /**
     * Runs an extraction and waits for the model. Without a prompt it uses the newest one that applies. A result that a
     * user edited or verified is replaced only with `replace: 'edited'` or `'verified'` (409 otherwise).
     */
    run: (
      documentId: string,
      promptRevid?: string,
      { replace, ...options }: CallOptions & { replace?: ReplaceLevel } = {},
    ): Promise<Extraction> =>
      api.send(
        'POST',
        at(documentId),
        { ...(promptRevid !== undefined && { prompt_revid: promptRevid }), ...(replace && { replace }) },
        { timeoutMs: modelTimeout, ...options },
      ),
    /** Estimates the cost of an extraction. Runs nothing. */
    estimate: (documentId: string, promptRevid?: string, options?: CallOptions): Promise<ExtractionEstimate> =>
      api.send(
        'POST',
        at(documentId, 'estimate'),
        promptRevid === undefined ? {} : { prompt_revid: promptRevid },
        options,
      ),
    /** Follows a running extraction: `progress` with the finished pieces, then one `end`. */
    events: (
      documentId: string,
      promptRevid: string,
      options?: CallOptions,
    ): AsyncGenerator<ExtractionEvent, void, undefined> =>
      followEvents(api, at(documentId, promptRevid, 'events'), 'end', options),
    /** Stops a running extraction. Its partial result is discarded. */
    stop: (documentId: string, promptRevid: string, options?: CallOptions): Promise<ExtractionProgress> =>
      api.send('POST', at(documentId, promptRevid, 'stop'), {}, options),
    /** Every version of a result, the newest first. */
    versions: (
      documentId: string,
      promptRevid: string,
      query: PageRequest = {},
      options?: CallOptions,
    ): Promise<ExtractionVersionList> => api.get(at(documentId, promptRevid, 'versions'), { ...query }, options),
    version: (
      documentId: string,
      promptRevid: string,
      version: number,
      options?: CallOptions,
    ): Promise<ExtractionVersion> => api.get(at(documentId, promptRevid, 'versions', `${version}`), {}, options),
    /** Restores a version as a new one. */
    restore: (documentId: string, promptRevid: string, version: number, options?: CallOptions): Promise<Extraction> =>
      api.send('POST', at(documentId, promptRevid, 'versions', `${version}`, 'restore'), {}, options),
    /** Sets one field; 409 when `base_version` is not the current version. */
    patch: (
      documentId: string,
      promptRevid: string,
      body: z.input<typeof patchExtractionBody>,
      options?: CallOptions,
    ): Promise<Extraction> => api.send('PATCH', at(documentId, promptRevid), body, options),
    setVerified: (
      documentId: string,
      promptRevid: string,
      is_verified: boolean,
      options?: CallOptions,
    ): Promise<Extraction> => api.send('PUT', at(documentId, promptRevid, 'verification'), { is_verified }, options),
  };
}
