import { useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { connection } from '../http/connection.ts';

/** Banner on every page while the server is unreachable; when it returns, all data is loaded again. */
export function ConnectionNotice() {
  const isLost = useSyncExternalStore(connection.subscribe, connection.isLost);
  const queryClient = useQueryClient();
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && !isLost) void queryClient.invalidateQueries();
    wasLost.current = isLost;
  }, [isLost, queryClient]);
  return (
    <output className="block shrink-0">
      {isLost && (
        <span className="flex items-center gap-2 border-b border-line bg-warn-soft px-4 py-1.5 text-sm">
          <WifiOff aria-hidden className="size-4 shrink-0 text-warn" />
          Connection to the server lost. Trying again… Your drafts are kept.
        </span>
      )}
    </output>
  );
}
