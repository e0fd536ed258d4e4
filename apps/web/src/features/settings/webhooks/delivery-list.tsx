import type { WebhookDelivery } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { deliveriesQuery, redeliver, webhooksKey } from '../../../shared/api/webhooks-api.ts';
import { formatMoment, fullMoment } from '../../../shared/formats/format-document.ts';
import { StateMark } from '../../../shared/labels/state-mark.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { DataTable, type TableColumn } from '../../../shared/ui/data-table.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Pager } from '../../../shared/ui/pager.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { deliveryState, eventLabels } from './webhook-labels.ts';
import { useChange } from '../../../shared/page/use-change.ts';

const pageSize = 20;

/** What was sent to a webhook, newest first. */
export function DeliveryList({ webhookId }: { webhookId: string }) {
  const { orgId } = useSession();
  const [page, setPage] = useState(1);
  const list = useQuery(deliveriesQuery(orgId, webhookId, { skip: (page - 1) * pageSize, limit: pageSize }));
  const columns: TableColumn<WebhookDelivery>[] = [
    {
      label: 'Event',
      render: ({ type, error, answer, created_at }) => (
        <>
          <span className="block truncate" title={fullMoment(created_at)}>
            {eventLabels[type]} <span className="text-xs text-ink-faint">{formatMoment(created_at)}</span>
          </span>
          {error !== undefined && <span className="block text-xs text-ink-soft wrap-anywhere">{error}</span>}
          {answer !== undefined && answer !== '' && (
            <span className="block truncate font-mono text-xs text-ink-faint" title={answer}>
              {answer}
            </span>
          )}
        </>
      ),
    },
    {
      label: 'State',
      className: 'w-32',
      render: (delivery) => <StateMark {...deliveryState(delivery)} />,
    },
    {
      label: 'Tries',
      wideOnly: true,
      className: 'w-16 text-right tabular-nums',
      render: ({ tries }) => tries,
    },
    {
      label: 'Answer',
      wideOnly: true,
      className: 'w-28 text-right text-ink-soft tabular-nums',
      render: ({ status, seconds }) =>
        seconds === null
          ? '–'
          : `${status ?? 'none'} · ${seconds.toLocaleString(undefined, { maximumFractionDigits: 1 })} s`,
    },
    {
      label: 'Actions',
      labelHidden: true,
      className: 'w-12 text-right',
      render: (delivery) => <SendAgain webhookId={webhookId} delivery={delivery} />,
    },
  ];
  if (list.error !== null) return <RetryNotice error={list.error} retry={() => void list.refetch()} />;
  if (list.data?.total_count === 0) {
    return <p className="text-sm text-ink-soft">Nothing has been sent yet. Deliveries are kept for 30 days.</p>;
  }
  return (
    <div className="flex flex-col gap-2">
      <DataTable label="Deliveries" columns={columns} items={list.data?.deliveries} keyOf={({ id }) => id} />
      {list.data && list.data.total_count > pageSize && (
        <Pager page={page} pageSize={pageSize} total={list.data.total_count} onPage={setPage} />
      )}
    </div>
  );
}

function SendAgain({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { orgId } = useSession();
  const sending = useChange(() => redeliver(orgId, webhookId, delivery.id), {
    refreshes: [webhooksKey(orgId)],
    says: 'The event will be sent again now.',
    showsError: true,
  });
  const label = delivery.state === 'succeeded' ? 'Send again' : 'Retry now';
  return (
    <IconButton label={label} disabled={sending.isPending} onClick={() => sending.mutate()}>
      <RotateCw className="size-3.5" />
    </IconButton>
  );
}
