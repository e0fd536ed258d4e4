import type { Source, SourceSync } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { isDue, sourceSyncQuery, sourcesKey, syncSource } from '../../../shared/api/sources-api.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { fullMoment } from '../../../shared/formats/format-document.ts';
import { distanceLabel } from '../../../shared/formats/timing-labels.ts';
import { StateMark } from '../../../shared/labels/state-mark.tsx';
import { PageSection } from '../../../shared/page/page-section.tsx';
import { panelClass } from '../../../shared/page/page.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { FactRow, FactList } from '../../../shared/ui/fact-list.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { syncState } from './sync-state.ts';
import { useChange } from '../../../shared/page/use-change.ts';

function Moment({ at, none }: { at: string | null; none: string }) {
  return at === null ? none : <span title={fullMoment(at)}>{distanceLabel(at)}</span>;
}

/** What the last sync did or the running one does, what it could not take, and when the next one is. */
export function SyncStatus({ source }: { source: Source }) {
  const { orgId, canWrite } = useSession();
  const query = useQuery(sourceSyncQuery(orgId, source.id));
  const sync = query.data;
  const starting = useChange(() => syncSource(orgId, source.id), { refreshes: [sourcesKey(orgId)], showsError: true });
  const isOff = source.enabled === false;
  const state = syncState({
    ...(source.enabled !== undefined && { enabled: source.enabled }),
    ...(sync && { state: sync.state }),
  });
  return (
    <PageSection
      title="Files"
      actions={
        canWrite && !isOff ? (
          <Button disabled={starting.isPending || isDue(sync)} onClick={() => starting.mutate()}>
            <RefreshCw aria-hidden className="size-4" /> Sync now
          </Button>
        ) : undefined
      }
    >
      {query.error !== null && <RetryNotice error={query.error} retry={() => void query.refetch()} />}
      {sync === undefined && query.error === null && <Skeleton className="h-28" />}
      {sync && (
        <>
          {sync.error && <Notice tone="bad">The last sync failed: {sync.error.message}</Notice>}
          <div className={`${panelClass} flex flex-col gap-3 p-3`}>
            <FactList>
              <FactRow term="State">
                <StateMark {...state} />
              </FactRow>
              <FactRow term="Last sync">
                <Moment at={sync.ended_at} none="never" />
              </FactRow>
              <FactRow term="Next sync">
                {isOff ? 'none while it is off' : <Moment at={sync.next_at} none="–" />}
              </FactRow>
              <FactRow term="Files">
                <Counts counts={sync.counts} />
              </FactRow>
            </FactList>
          </div>
          {sync.counts.failed > 0 && <Errors sync={sync} />}
        </>
      )}
    </PageSection>
  );
}

function Counts({ counts: { seen, taken, unchanged, missing, failed } }: Pick<SourceSync, 'counts'>) {
  const parts = [
    `${counted(seen, 'file')} seen`,
    `${taken.toLocaleString()} taken`,
    `${unchanged.toLocaleString()} unchanged`,
    ...(missing > 0 ? [`${missing.toLocaleString()} gone`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString()} not taken`] : []),
  ];
  return <>{parts.join(' · ')}</>;
}

function Errors({ sync: { errors, counts } }: { sync: SourceSync }) {
  return (
    <section aria-label="Files that were not taken" className={`${panelClass} p-3`}>
      <h3 className="font-medium">{counted(counts.failed, 'file')} not taken</h3>
      <ul className="mt-1 flex flex-col gap-1 text-sm">
        {errors.map(({ file, message }, index) => (
          <li key={index} className="wrap-anywhere">
            <span className="font-medium">{file}</span> <span className="text-ink-soft">{message}</span>
          </li>
        ))}
      </ul>
      {counts.failed > errors.length && (
        <p className="mt-1 text-sm text-ink-soft">And {(counts.failed - errors.length).toLocaleString()} more.</p>
      )}
    </section>
  );
}
