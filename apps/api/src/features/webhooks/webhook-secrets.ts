import { randomBytes } from 'node:crypto';
import type { SealedTexts } from '../../platform/settings/sealed-text.ts';
import type { WebhookRecord } from './webhook-model.ts';

/** Secrets and headers of webhooks, which are stored encrypted. */
export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

export function createWebhookSecrets(vault: SealedTexts) {
  const owner = (organizationId: string) => `webhooks of ${organizationId}`;
  const open = (webhook: WebhookRecord, sealed: string) => {
    const text = vault.open(sealed, owner(webhook.organization_id.toHexString()));
    if (text === undefined) throw new Error('The stored secret of a webhook cannot be read: APP_SECRET has changed.');
    return text;
  };
  return {
    /** A new secret, and its stored form. */
    create(organizationId: string): { secret: string; sealed: string } {
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      return { secret, sealed: vault.seal(secret, owner(organizationId)) };
    },
    /** The secrets to sign with: the current one, and the old one while it is valid. */
    secretsOf(webhook: WebhookRecord, now: Date): string[] {
      const { secret, old_secret, old_secret_until } = webhook;
      const isOldValid = old_secret && old_secret_until && old_secret_until > now;
      return [open(webhook, secret), ...(isOldValid ? [open(webhook, old_secret)] : [])];
    },
    seal: (organizationId: string, headers: Record<string, string>): string =>
      vault.seal(JSON.stringify(headers), owner(organizationId)),
    headersOf(webhook: WebhookRecord): Record<string, string> {
      return webhook.headers ? (JSON.parse(open(webhook, webhook.headers)) as Record<string, string>) : {};
    },
  };
}
