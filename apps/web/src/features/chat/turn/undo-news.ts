import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { auditKey } from '../../../shared/api/audit-api.ts';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { writeStored } from '../../../shared/ui/stored-value.ts';
import { staleKeysAfter } from './stale-after.ts';

const newsKey = 'docwright.undo-news';

/** Tells the other windows of this browser that a turn was taken back: what is stored reaches each of them. */
export function publishUndo({ documentId }: ChatPlace): void {
  writeStored(newsKey, `${documentId} ${Date.now()}`);
}

/** Reads again what an undo in another window may have changed. */
export function useUndoNews(place: ChatPlace): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const onStored = ({ key, newValue }: StorageEvent) => {
      if (key !== newsKey || newValue?.startsWith(place.documentId) !== true) return;
      const tools = ['run_extraction', 'create_schema', 'create_prompt', 'create_tag'];
      const keys = [auditKey(place), ...tools.flatMap((tool) => staleKeysAfter(tool, place))];
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
    };
    window.addEventListener('storage', onStored);
    return () => window.removeEventListener('storage', onStored);
  }, [place, queryClient]);
}
