import { useQuery } from '@tanstack/react-query';
import { Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { webhooksQuery } from '../../../shared/api/webhooks-api.ts';
import { panelClass } from '../../../shared/page/page.tsx';
import { PageSection } from '../../../shared/page/page-section.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { CopyButton } from '../../../shared/ui/copy-button.tsx';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { ShownOnce } from '../../../shared/page/shown-once.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { verifySnippet, webhookState } from './webhook-labels.ts';

/** The addresses that events are sent to. */
export function WebhookSettings() {
  const { orgId, organization } = useSession();
  const isAdmin = organization.role === 'admin';
  const list = useQuery({ ...webhooksQuery(orgId), enabled: isAdmin });
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<{ url: string; secret: string }>();
  const webhooks = list.data?.webhooks;
  const broken = (webhooks ?? []).filter((webhook) => webhookState(webhook).note !== undefined);
  return (
    <PageSection
      title="Webhooks"
      note="Events are sent to an address, signed, at least once: no program has to ask whether something happened."
      actions={
        isAdmin && !isAdding && webhooks && webhooks.length > 0 ? (
          <Button look="primary" onClick={() => setAdding(true)}>
            Add a webhook
          </Button>
        ) : undefined
      }
    >
      {!isAdmin && (
        <Notice>
          Admins manage the webhooks of the organization. An access token with the right “Webhooks” makes its own.
        </Notice>
      )}
      {list.error !== null && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      {broken.map((webhook) => (
        <Notice key={webhook.id} tone={webhook.enabled ? 'warn' : 'bad'}>
          <span className="font-medium">{webhook.url}</span>: {webhookState(webhook).note}
        </Notice>
      ))}
      {created && (
        <ShownOnce secret={created.secret}>{`The secret that signs the events for ${created.url}.`}</ShownOnce>
      )}
      {isAdding && (
        <WebhookForm
          onCreated={(webhook) => {
            setCreated(webhook);
            setAdding(false);
          }}
          onCancel={() => setAdding(false)}
        />
      )}
      {isAdmin && webhooks === undefined && list.error === null && <Skeleton className="h-16" />}
      {webhooks?.length === 0 && !isAdding && (
        <div className={panelClass}>
          <EmptyState
            icon={WebhookIcon}
            title="No webhooks yet"
            actions={
              <Button look="primary" onClick={() => setAdding(true)}>
                Add a webhook
              </Button>
            }
          >
            Add the address of the program that should learn of released results, failures or waiting approvals.
          </EmptyState>
        </div>
      )}
      {webhooks?.map((webhook) => (
        <WebhookCard
          key={webhook.id}
          webhook={webhook}
          onSecret={(secret) => setCreated({ url: webhook.url, secret })}
        />
      ))}
      {webhooks && webhooks.length > 0 && <Verification />}
    </PageSection>
  );
}

function Verification() {
  return (
    <details className={`${panelClass} p-3`}>
      <summary className="cursor-pointer rounded-sm text-sm font-medium">Verify what you receive</summary>
      <p className="mt-2 text-sm text-ink-soft">
        Requests follow Standard Webhooks: libraries for many languages verify them with the secret.
      </p>
      <div className="relative mt-2">
        <pre className="overflow-auto rounded-md bg-sunken p-3 font-mono text-xs leading-5">{verifySnippet}</pre>
        <div className="absolute top-1.5 right-1.5">
          <CopyButton text={verifySnippet} label="Copy" />
        </div>
      </div>
    </details>
  );
}
