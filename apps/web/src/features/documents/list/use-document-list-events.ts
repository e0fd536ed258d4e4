import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { documentListEventsPath, documentListQuery, type DocumentSearch } from '../../../shared/api/documents-api.ts';
import { followEvents } from '../../../shared/http/follow-events.ts';

/** Reads a page of the list again whenever the server says that it has changed, while the page is in sight. */
export function useDocumentListEvents(orgId: string, search: DocumentSearch): void {
  const queryClient = useQueryClient();
  const path = documentListEventsPath(orgId, search);
  const key = JSON.stringify(documentListQuery(orgId, search).queryKey);
  useEffect(() => {
    const readAgain = () => void queryClient.invalidateQueries({ queryKey: JSON.parse(key) as unknown[] });
    return followEvents({
      path,
      types: ['changed'],
      onEvent: readAgain,
      onRefused: readAgain,
      reopenAfterMs: 10_000,
    });
  }, [path, key, queryClient]);
}
