import { DomainError } from '@docwright/contract';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import type {
  UnfinishedAnswer,
  ConversationLease,
  ConversationLeaseRepository,
} from './conversation-lease-repository.ts';
import type { AgentConversationRepository } from './conversation-repository.ts';
import { isAnswered, storedSubAgents } from './answer-recorder.ts';
import { summaryWith } from './summary.ts';

/** The lease of a dead process expires after this time; a process on the same machine can claim it at once. */
const leaseMs = 8_000;
const renewMs = 1_000;

export type LeasedConversation = Awaited<ReturnType<typeof claimConversation>>;

interface ConversationLeaseDependencies {
  leases: ConversationLeaseRepository;
  conversations: OrphanedAnswerRepository;
}

/**
 * Claims a conversation across processes, renews the lease, and stores the unfinished answer with it until `release`.
 * First stores the orphaned answer of a dead process. Throws `message_running` while another holder has the lease.
 */
export async function claimConversation(
  { leases, conversations }: ConversationLeaseDependencies,
  id: string,
  answer?: () => UnfinishedAnswer,
) {
  const claimed = await leases.claim(id, leaseMs, answer?.());
  if (claimed === undefined) {
    const message = 'The agent is still answering in this conversation. Wait for the answer, or stop it.';
    throw new DomainError('conflict', 'message_running', message);
  }
  const { lease, orphaned } = claimed;
  const stop = new AbortController();
  let stored: UnfinishedAnswer | undefined;
  const heartbeat = startHeartbeat(async () => {
    const current = answer?.();
    const renewed = await leases.renew(lease, leaseMs, current === stored ? undefined : current);
    stored = current;
    if (renewed.isStopRequested) stop.abort();
    return renewed.isHeld;
  }, renewMs);
  const release = async () => {
    await heartbeat.stop();
    await leases.release(lease);
  };
  try {
    if (orphaned !== undefined) await storeOrphanedAnswer(conversations, lease, orphaned);
  } catch (error) {
    await release();
    throw error;
  }
  return {
    lease,
    /** Aborts when the lease is lost. */
    lost: heartbeat.lost,
    /** Aborts within two seconds of a stop request to any process. */
    stopRequested: stop.signal,
    release,
  };
}

type OrphanedAnswerRepository = Pick<AgentConversationRepository, 'messages' | 'addMessage' | 'summary' | 'change'>;

const interrupted = 'The server ended while I was answering. What was built until then stays; send a message to go on.';

/** Stores the unfinished answer of a dead process as messages. */
async function storeOrphanedAnswer(
  conversations: OrphanedAnswerRepository,
  lease: ConversationLease,
  orphaned: UnfinishedAnswer,
): Promise<void> {
  const { started_at, message, text, tool_calls } = orphaned;
  const messages = await conversations.messages(lease.id);
  if (isAnswered(messages, orphaned)) return;
  if (!messages.some(({ created_at }) => created_at >= started_at)) {
    await conversations.addMessage(lease, { role: 'user', content: message, tool_calls: [], subagents: [] });
  }
  const content = text.trim() === '' ? interrupted : `${text.trim()}\n\n${interrupted}`;
  await conversations.addMessage(lease, {
    role: 'assistant',
    content,
    tool_calls: tool_calls.map(({ tool_name, arguments: given, success, result }) => ({
      tool_name,
      arguments: given,
      result: success === null ? { error: 'The server ended before it was done.' } : result,
    })),
    subagents: storedSubAgents(orphaned),
  });
  await conversations.change(lease, { summary: summaryWith(await conversations.summary(lease), message, content) });
}
