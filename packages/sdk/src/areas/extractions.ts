import type { Extraction, ExtractionEvent, ReplaceLevel, VerificationLook } from '@docwright/contract';
import { DocwrightError } from '../client/docwright-error.ts';
import { everyPage } from '../client/every-page.ts';
import { followEvents } from '../client/follow-events.ts';
import { modelTimeout, type OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import type { PageRequest } from '../client/page-request.ts';

/** Results. A document has one for each prompt revision that it was extracted with. */
export function createExtractions(api: OrganizationApi) {
  const at = (documentId: string, ...rest: string[]) => ['documents', documentId, 'extractions', ...rest];
  const list = api.operation('GET /v0/orgs/:org_id/documents/:document_id/extractions', 'query');
  return {
    /** Lists a page of results, the last changed first. */
    list,
    /** Yields all results of a document, the last changed first. */
    listAll: (documentId: string, query: PageRequest = {}, options?: CallOptions) =>
      everyPage(
        query,
        (page) => list(documentId, page, options),
        ({ extractions }) => extractions,
      ),
    /** The result of a prompt revision. */
    get: api.operation('GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid'),
    /**
     * The result that changed last.
     *
     * @throws DocwrightError `no_extraction` if the document has none
     */
    async latest(documentId: string, options?: CallOptions): Promise<Extraction> {
      const [newest] = (await list(documentId, { limit: 1 }, options)).extractions;
      if (newest !== undefined) return newest;
      const message = 'This document has no extraction yet. Run one, or ask for one in the chat.';
      throw new DocwrightError({ code: 'no_extraction', message, status: 404 });
    },
    /**
     * Runs an extraction and waits for the result. By default it uses the newest prompt that applies to the document.
     *
     * @throws DocwrightError with status 409 if a user has edited or verified the result and `replace` does not allow it
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const { result, is_complete } = await docwright.extractions.run('652f1c0a9d3e4b5f6a7b8c9d');
     * console.log(result, is_complete);
     * ```
     */
    run: (
      documentId: string,
      promptRevid?: string,
      { replace, base_version, ...options }: CallOptions & { replace?: ReplaceLevel; base_version?: number } = {},
    ) =>
      api.operation('POST /v0/orgs/:org_id/documents/:document_id/extractions', 'body')(
        documentId,
        {
          ...(promptRevid !== undefined && { prompt_revid: promptRevid }),
          ...(replace && { replace }),
          ...(base_version !== undefined && { base_version }),
        },
        { timeoutMs: modelTimeout, ...options },
      ),
    /** Estimates the cost of an extraction. Runs nothing. */
    estimate: (documentId: string, promptRevid?: string, options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/documents/:document_id/extractions/estimate', 'body')(
        documentId,
        promptRevid === undefined ? {} : { prompt_revid: promptRevid },
        options,
      ),
    /** Yields the events of a running extraction: `progress` with the finished pieces, then one `end`. */
    events: (
      documentId: string,
      promptRevid: string,
      options?: CallOptions,
    ): AsyncGenerator<ExtractionEvent, void, undefined> =>
      followEvents(api, at(documentId, promptRevid, 'events'), 'end', options),
    /** Stops a running extraction. Its partial result is discarded. */
    stop: api.operation('POST /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/stop'),
    /** Lists a page of the versions of a result, the newest first. */
    versions: api.operation('GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions', 'query'),
    /** One version, counted from 1. */
    version: (documentId: string, promptRevid: string, version: number, options?: CallOptions) =>
      api.operation('GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions/:version')(
        documentId,
        promptRevid,
        `${version}`,
        options,
      ),
    /** Restores a version. The restored result becomes a new version. `base_version` is the current version that the user saw. */
    restore: (
      documentId: string,
      promptRevid: string,
      version: number,
      { base_version, ...options }: CallOptions & { base_version?: number } = {},
    ) =>
      api.operation(
        'POST /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions/:version/restore',
        'body',
      )(documentId, promptRevid, `${version}`, { ...(base_version !== undefined && { base_version }) }, options),
    /**
     * Sets one value of a result.
     *
     * @throws DocwrightError with status 409 if `base_version` is not the current version
     */
    patch: api.operation('PATCH /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid', 'body'),
    /**
     * Marks a result as verified, or no longer verified. Values that were not seen by a person (`seen`, `seen_paths`) count
     * as unseen: they measure and teach nothing.
     * @param look what the user saw; with `base_version`, nothing is marked if the result has changed since
     * @throws DocwrightError with status 409 if `base_version` is not the current version, or if it is missing and somebody else
     * has verified the result that is to be marked as not verified
     */
    setVerified: (
      documentId: string,
      promptRevid: string,
      is_verified: boolean,
      options?: CallOptions,
      look: VerificationLook = {},
    ) =>
      api.operation('PUT /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/verification', 'body')(
        documentId,
        promptRevid,
        { is_verified, ...look },
        options,
      ),
  };
}
