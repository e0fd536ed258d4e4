import type { Document, DocumentEvent } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { reviewCountKey } from '../../../shared/api/arrival/review-counts-api.ts';
import { documentPath, documentQuery, documentTextQuery } from '../../../shared/api/documents-api.ts';
import { extractionsQuery } from '../../../shared/api/extractions-api.ts';
import { followEvents } from '../../../shared/http/follow-events.ts';
import { useSession } from '../../../shared/session/session.tsx';

/**
 * Follows the events of one document while its page is visible: its state, the progress of reading and changes of its
 * values by anyone.
 */
export function useDocumentEvents(documentId: string): void {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  useEffect(() => {
    const one = documentQuery(orgId, documentId).queryKey;
    const values = extractionsQuery(orgId, documentId).queryKey;
    const text = documentTextQuery(orgId, documentId).queryKey;
    let before: DocumentEvent | undefined;

    const applyEvent = (event: DocumentEvent) => {
      queryClient.setQueryData<Document>(one, (document) => document && documentAfter(document, event));
      // Events can be missing before the first one of a connection.
      if (before?.state !== event.state || (before.ocr === undefined) !== (event.ocr === undefined)) {
        void queryClient.invalidateQueries({ queryKey: text });
        void queryClient.invalidateQueries({ queryKey: ['prompts', orgId] });
      }
      if (withoutProgress(event) !== withoutProgress(before)) {
        void queryClient.invalidateQueries({ queryKey: one });
        void queryClient.invalidateQueries({ queryKey: values });
        if (before !== undefined) void queryClient.invalidateQueries({ queryKey: reviewCountKey(orgId) });
      }
      before = event;
    };
    return followEvents({
      path: `${documentPath(orgId, documentId)}/events`,
      types: ['state'],
      onOpen: () => {
        before = undefined;
      },
      onEvent: (data) => applyEvent(JSON.parse(data) as DocumentEvent),
      onRejected: () => void queryClient.invalidateQueries({ queryKey: one }),
      retryAfterMs: 10_000,
    });
  }, [orgId, documentId, queryClient]);
}

function documentAfter(document: Document, { state, page_count, state_error, ocr }: DocumentEvent): Document {
  const { state_error: _error, ocr: _ocr, ...rest } = document;
  return { ...rest, state, page_count, ...(state_error ? { state_error } : {}), ...(ocr ? { ocr } : {}) };
}

/** An event without the progress of reading, for comparison. */
function withoutProgress(event: DocumentEvent | undefined): string {
  const { pages_done: _done, ocr: _ocr, ...rest } = event ?? {};
  return JSON.stringify(rest);
}
