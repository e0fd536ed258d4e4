import type { Webhook } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Pause, Play, RefreshCw, Send, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import {
  deleteWebhook,
  redeliverFailed,
  rotateSecret,
  testWebhook,
  updateWebhook,
  webhooksKey,
} from '../../../shared/api/webhooks-api.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { StateMark } from '../../../shared/labels/state-mark.tsx';
import { Written } from '../../../shared/labels/written.tsx';
import { panelClass } from '../../../shared/page/page.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { eventLabels, testSentence, webhookState } from './webhook-labels.ts';
import { useChange } from '../../../shared/page/use-change.ts';

interface WebhookCardProps {
  webhook: Webhook;
  /** Shows the new secret, which no other answer holds. */
  onSecret: (secret: string) => void;
}

/** A webhook with its actions, and its deliveries when it is open. */
export function WebhookCard({ webhook, onSecret }: WebhookCardProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [asking, setAsking] = useState<'delete' | 'rotate'>();
  const { id, url, types, enabled } = webhook;
  const state = webhookState(webhook);
  const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksKey(orgId) });
  const switching = useChange(() => updateWebhook(orgId, id, { enabled: !enabled }), {
    refreshes: [webhooksKey(orgId)],
    showsError: true,
  });
  const testing = useChange(() => testWebhook(orgId, id), {
    onDone: (outcome) => toast(testSentence(outcome), outcome.succeeded ? 'plain' : 'bad'),
    showsError: true,
  });
  const repeating = useChange(() => redeliverFailed(orgId, id), {
    refreshes: [webhooksKey(orgId)],
    says: ({ deliveries }) =>
      deliveries === 0 ? 'Everything is delivered.' : `${counted(deliveries, 'event')} will be sent again now.`,
    showsError: true,
  });
  const events = types.length === 0 ? 'All events' : types.map((type) => eventLabels[type]).join(' · ');
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <article aria-label={url} className={`${panelClass} flex flex-col gap-2 p-3`}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 flex-[1_1_14rem]">
          <h3 className="font-medium wrap-anywhere">{url}</h3>
          <p className="text-sm text-ink-soft wrap-anywhere">{events}</p>
          <p className="text-xs text-ink-faint">
            <Written at={webhook.created_at} by={webhook.created_by} />
          </p>
        </div>
        <StateMark label={state.label} tone={state.tone} />
      </div>
      <div className="flex flex-wrap gap-1.5">
        <Button size="small" aria-expanded={isOpen} aria-controls={listId} onClick={() => setOpen(!isOpen)}>
          <Arrow aria-hidden className="size-3.5" /> Deliveries
        </Button>
        <Button size="small" disabled={testing.isPending} onClick={() => testing.mutate()}>
          <Send aria-hidden className="size-3.5" /> Send a test
        </Button>
        <Button size="small" disabled={switching.isPending} onClick={() => switching.mutate()}>
          {enabled ? <Pause aria-hidden className="size-3.5" /> : <Play aria-hidden className="size-3.5" />}
          {enabled ? 'Pause' : 'Resume'}
        </Button>
        <Button size="small" disabled={!enabled || repeating.isPending} onClick={() => repeating.mutate()}>
          <RefreshCw aria-hidden className="size-3.5" /> Retry all that failed
        </Button>
        <Button size="small" onClick={() => setAsking('rotate')}>
          New secret…
        </Button>
        <Button size="small" look="danger" onClick={() => setAsking('delete')}>
          <Trash2 aria-hidden className="size-3.5" /> Delete…
        </Button>
      </div>
      <div id={listId}>{isOpen && <DeliveryList webhookId={id} />}</div>
      {asking === 'rotate' && (
        <ConfirmDialog
          title="Make a new secret?"
          description="For 24 hours requests are signed with the old secret as well. Change it in the receiver until then."
          action="Make a new secret"
          run={async () => onSecret((await rotateSecret(orgId, id)).secret)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title="Delete this webhook?"
          description={`Nothing is sent to ${url} any more, and its deliveries are no longer listed. The events stay in the feed for 30 days.`}
          action="Delete"
          run={async () => {
            await deleteWebhook(orgId, id);
            await refresh();
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </article>
  );
}
