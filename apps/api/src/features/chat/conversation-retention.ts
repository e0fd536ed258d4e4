import { randomUUID } from 'node:crypto';
import type { AuditLog } from '../audit/index.ts';
import type { ChatRemoval } from './chat-removal-repository.ts';

interface RetentionDependencies {
  removal: Pick<ChatRemoval, 'unusedSince' | 'removeUnused'>;
  /** The organizations that keep conversations for a limited time. */
  limits: () => Promise<{ organizationId: string; days: number; setBy: string }[]>;
  auditOf: (organizationId: string) => AuditLog;
  /** Removes the permission rules of a conversation. */
  forgetThread: (owner: { organizationId: string; userId: string }, threadId: string) => Promise<unknown>;
}

const removeConversationsTool = 'remove_conversations';

/** Conversations of one entry in the audit log. */
const batchSize = 500;
const dayMs = 24 * 60 * 60 * 1000;

/** Removes conversations that have not been used for as many days as their organization keeps them. */
export function createConversationRetention({
  removal,
  limits,
  auditOf,
  forgetThread,
}: RetentionDependencies): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    for (const { organizationId, days, setBy } of await limits()) {
      const before = new Date(Date.now() - days * dayMs);
      for (;;) {
        if (signal.aborted) return;
        const unused = await removal.unusedSince(organizationId, before, batchSize);
        if (unused.length === 0) break;
        await auditOf(organizationId).record([
          {
            kind: 'executed',
            actor: setBy,
            callId: randomUUID(),
            tool: removeConversationsTool,
            arguments: JSON.stringify({
              conversations: unused.length,
              unused_since: before.toISOString(),
              keep_conversations_days: days,
            }),
            success: true,
          },
        ]);
        for (const { id, userId } of unused) {
          if (signal.aborted) return;
          await forgetThread({ organizationId, userId }, id);
          await removal.removeUnused(organizationId, id, before);
        }
        if (unused.length < batchSize) break;
      }
    }
  };
}
