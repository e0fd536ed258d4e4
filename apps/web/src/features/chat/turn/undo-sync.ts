import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { auditKey } from '../../../shared/api/audit-api.ts';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { writeStored } from '../../../shared/ui/browser/stored-value.ts';
import { staleKeysAfter } from './stale-after.ts';

const storageKey = 'docwright.undo-news';

/** Notifies the browser's other windows of an undo through local storage. */
export function publishUndo({ documentId }: ChatPlace): void {
  writeStored(storageKey, `${documentId} ${Date.now()}`);
}

/** Refetches what an undo in another window may have changed. */
export function useUndoSync(place: ChatPlace): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const onStored = ({ key, newValue }: StorageEvent) => {
      if (key !== storageKey || newValue?.startsWith(place.documentId) !== true) return;
      const tools = ['run_extraction', 'create_schema', 'create_prompt', 'create_tag'];
      const keys = [auditKey(place), ...tools.flatMap((tool) => staleKeysAfter(tool, place))];
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
    };
    window.addEventListener('storage', onStored);
    return () => window.removeEventListener('storage', onStored);
  }, [place, queryClient]);
}
