import { useMutation } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { useState } from 'react';
import { tryConnector, type ConnectorBody } from '../../../shared/api/sources-api.ts';
import { formatSize } from '../../../shared/formats/format-document.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';

interface ConnectorTrialProps {
  connector: ConnectorBody;
  /** Whose stored secrets hold where none is typed. */
  sourceId: string | undefined;
  disabled: boolean;
}

/** Connects and lists the first files, before anything is saved. */
export function ConnectorTrial({ connector, sourceId, disabled }: ConnectorTrialProps) {
  const { orgId } = useSession();
  const key = JSON.stringify(connector);
  const [tried, setTried] = useState<string>();
  const trying = useMutation({
    mutationFn: () => tryConnector(orgId, { connector, ...(sourceId !== undefined && { source_id: sourceId }) }),
    onMutate: () => setTried(key),
  });
  const isCurrent = tried === key;
  const found = isCurrent ? trying.data : undefined;
  return (
    <div className="flex flex-col gap-2 rounded-md bg-sunken p-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button disabled={disabled || trying.isPending} onClick={() => trying.mutate()}>
          <PlugZap aria-hidden className="size-4" /> {trying.isPending ? 'Connecting…' : 'Test the connection'}
        </Button>
        <span className="text-xs text-ink-soft">Lists the first files. Nothing is taken.</span>
      </div>
      {isCurrent && trying.isError && <Notice tone="bad">{messageOf(trying.error)}</Notice>}
      {found && (
        <div role="status" className="flex flex-col gap-1 text-sm">
          <p className="font-medium text-good">
            It works. {found.files.length === 0 ? 'There are no files at the moment.' : 'The first files:'}
          </p>
          <ul className="flex max-h-48 flex-col gap-0.5 overflow-auto">
            {found.files.map(({ name, size_bytes }) => (
              <li key={name} className="flex gap-3">
                <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
                <span className="shrink-0 text-ink-soft tabular-nums">{formatSize(size_bytes)}</span>
              </li>
            ))}
          </ul>
          {found.has_more && <p className="text-ink-soft">And more.</p>}
        </div>
      )}
    </div>
  );
}
