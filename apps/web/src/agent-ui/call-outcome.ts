import type { ThreadMessage } from '@docwright/contract';
import { isRecord, parseJson } from '../shared/http/json-value.ts';
import type { ToolCard } from './chat-state.ts';

const rejection = 'User rejected this action.';
/** Prefix of the server's error when a rule or a role denies a call. */
const denial = 'This call is not permitted: ';

/** Sets the outcome of a card, from a live event or a stored message. */
export function withOutcome(card: ToolCard, success: boolean, result: unknown, error: string | undefined): ToolCard {
  const { id, name, arguments: args, plan } = card;
  const record = { id, name, arguments: args, ...(plan && { plan }) };
  if (success) return { ...record, state: 'done', result };
  const message = error ?? 'The call failed without a reason.';
  if (message.startsWith(rejection)) return { ...record, state: 'rejected', error: message };
  if (message.startsWith(denial)) return { ...record, state: 'denied', error: message };
  return { ...record, state: message.startsWith('stale_proposal') ? 'stale' : 'failed', error: message };
}

/** The reason that the user gave with a rejection, if any. */
export function rejectionReason(card: ToolCard): string | undefined {
  return (
    card.error
      ?.slice(rejection.length)
      .replace(/^\s*Reason:\s*/, '')
      .trim() || undefined
  );
}

/** Why a call was denied; the rest of the server's text is for the model. */
export function denialReason(card: ToolCard): string | undefined {
  return card.error?.slice(denial.length).split(/(?<=[.;])\s/u)[0];
}

/** What has changed since a stale call was proposed. */
export function stalenessReason(card: ToolCard): string {
  const change = card.error?.slice('stale_proposal: '.length).split('. ')[0];
  return `Not run: ${change ?? 'its target changed since the proposal'}. Ask the agent again.`;
}

/** The error text that the server stores for a rejection. */
export const rejectionText = (reason?: string) =>
  reason === undefined || reason === '' ? rejection : `${rejection} Reason: ${reason}`;

/** Sets the outcome of a card from a stored `tool` message, whose content is JSON text. */
export function withStoredOutcome(card: ToolCard, message: ThreadMessage): ToolCard {
  const value = parseJson(message.content);
  const error = isRecord(value) && typeof value['error'] === 'string' ? value['error'] : undefined;
  const success = message.success ?? (error === undefined && !message.content.startsWith(rejection));
  return withOutcome(card, success, value, error ?? (typeof value === 'string' ? value : message.content));
}
