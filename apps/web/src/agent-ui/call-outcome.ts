import type { ThreadMessage } from '@docwright/contract';
import { isRecord, parseJson } from '../shared/http/json-value.ts';
import type { ToolCard } from './chat-state.ts';

const rejection = 'User rejected this action.';
/** How the server begins what it says about a call that a rule or a role stands against. */
const denial = 'This call is not permitted: ';

/** How a card ends: one reading for a live event and for a stored message. */
export function withOutcome(card: ToolCard, success: boolean, result: unknown, error: string | undefined): ToolCard {
  const { id, name, arguments: args, plan } = card;
  const record = { id, name, arguments: args, ...(plan && { plan }) };
  if (success) return { ...record, state: 'done', result };
  const message = error ?? 'The call failed without a reason.';
  if (message.startsWith(rejection)) return { ...record, state: 'rejected', error: message };
  if (message.startsWith(denial)) return { ...record, state: 'denied', error: message };
  return { ...record, state: message.startsWith('stale_proposal') ? 'stale' : 'failed', error: message };
}

/** The reason a person gave with a rejection, if any. */
export function rejectionReason(card: ToolCard): string | undefined {
  return (
    card.error
      ?.slice(rejection.length)
      .replace(/^\s*Reason:\s*/, '')
      .trim() || undefined
  );
}

/** What stands against a denied call; the rest of the server's words is for the model. */
export function denialReason(card: ToolCard): string | undefined {
  return card.error?.slice(denial.length).split(/(?<=[.;])\s/u)[0];
}

/** What has moved on since a stale call was proposed, as the server names it. */
export function stalenessReason(card: ToolCard): string {
  const named = card.error?.slice('stale_proposal: '.length).split('. ')[0];
  return `Not run: ${named ?? 'its target changed since the proposal'}. Ask the agent again.`;
}

/** The error text as the server writes it for a rejection. */
export const rejectionText = (reason?: string) =>
  reason === undefined || reason === '' ? rejection : `${rejection} Reason: ${reason}`;

/** Reads the result that a stored `tool` message carries as JSON text. */
export function withStoredOutcome(card: ToolCard, message: ThreadMessage): ToolCard {
  const value = parseJson(message.content);
  const told = isRecord(value) && typeof value['error'] === 'string' ? value['error'] : undefined;
  const success = message.success ?? (told === undefined && !message.content.startsWith(rejection));
  return withOutcome(card, success, value, told ?? (typeof value === 'string' ? value : message.content));
}
