import { setTimeout as sleep } from 'node:timers/promises';
import type { CallEvaluation, Evaluation, Passage, Preview, ProposedCall } from '@docwright/contract';
import type { ServerContext } from '@modelcontextprotocol/server';
import { pollInTurn } from '../../platform/places/polls.ts';
import type { Actor } from '../identity/index.ts';
import type { CallToDecide, McpOutcome } from './calls/call-outcome.ts';
import type { Admit, McpCallService } from './calls/mcp-call-service.ts';

/** The form has no fields: accepting it is the approval. */
export const approvalForm = { type: 'object' as const, properties: {} };

const maxTextCharacters = 2_000;

/** The question before a call runs: the call, its arguments, and its effect. */
export function approvalQuestion(call: ProposedCall, client: string, link: string): string {
  return [
    `${client} wants to run ${call.name} in Docwright: ${call.summary}.`,
    ...(call.preview ? [previewText(call.preview)] : []),
    ...(call.passages ?? []).slice(0, 5).map(passageText),
    `Arguments: ${cut(call.arguments)}`,
    `Accept to run it, decline to reject it. To see everything, or to decide later: ${link}`,
  ].join('\n\n');
}

/** Names arguments that were read from a document: the client's model might have been instructed by it. */
function passageText({ path, quote, page_num }: Passage): string {
  const place = page_num === undefined ? 'a document' : `page ${page_num} of the document`;
  return `${path} was read in ${place}: “${quote}”.`;
}

function previewText(preview: Preview): string {
  switch (preview.kind) {
    case 'create':
      return preview.collides_with.length === 0
        ? 'The name is not used yet.'
        : `The name is already used by: ${preview.collides_with.map(({ name }) => `“${name}”`).join(', ')}.`;
    case 'difference':
      return [
        `${preview.title}\nBefore:\n${cut(preview.before)}\nAfter:\n${cut(preview.after)}`,
        ...(preview.evaluation ? [evidenceText(preview.evaluation)] : []),
      ].join('\n\n');
    case 'field':
      return `${preview.path}: ${cut(JSON.stringify(preview.old_value))} becomes ${cut(JSON.stringify(preview.new_value))}`;
    case 'replace': {
      const values = preview.edited_values.map(({ path, edited_value }) => `${path}: ${JSON.stringify(edited_value)}`);
      const edited = preview.edited_count === 0 ? '' : ` Values that users changed: ${cut(values.join('; '))}`;
      return `It replaces a result that a user has ${preview.is_verified ? 'verified' : 'edited'} (version ${preview.version}, ${preview.value_count} values).${edited}${preview.cost === undefined ? '' : ` ${preview.cost}`}`;
    }
    case 'cost':
      return preview.message;
    case 'plan':
      return `${preview.title}\n${preview.steps.map(({ summary }, at) => `${at + 1}. ${cut(summary)}`).join('\n')}`;
    case 'delete': {
      const count = preview.dependent_count ?? preview.dependents.length;
      const named = preview.dependents.slice(0, 5).map(({ kind, name }) => `${kind} “${name}”`);
      return `“${preview.name}” would be deleted.${count === 0 ? '' : ` ${count} ${count === 1 ? 'record depends' : 'records depend'} on it: ${named.join(', ')}${count > named.length ? ' …' : ''}`}`;
    }
  }
}

/** The measured effect on verified results: only figures, no values of documents. */
function evidenceText({ verified_documents, evaluation, evaluations, stale }: CallEvaluation): string {
  if (verified_documents === 0) return 'Effect: it cannot be measured, since no result of this prompt is verified.';
  const measured = evaluations?.map((entry) => entry.evaluation) ?? (evaluation ? [evaluation] : []);
  if (measured.length === 0) {
    return `Effect: not measured. ${documentsOf(verified_documents)} verified; the link below measures it.`;
  }
  const outdated = stale === true ? ' This is out of date: something has changed since it was measured.' : '';
  return `Effect on verified results: ${measured.map(effectText).join('; ')}.${outdated}`;
}

function effectText({ state, documents, totals }: Evaluation): string {
  const { done, total } = documents;
  if (state === 'queued' || state === 'running') return `${done} of ${documentsOf(total)} measured so far`;
  if (done === 0) return `not measured (${state})`;
  const { fixed, broken, accuracy_before, accuracy_after } = totals;
  const [before, after] = [accuracy_before, accuracy_after].map((share) =>
    share === null ? 'unknown' : `${(share * 100).toFixed(1)} %`,
  );
  const measured = done === total ? documentsOf(done) : `${done} of ${documentsOf(total)}`;
  return `${measured}: ${fixed} fixed, ${broken} broken, ${before} → ${after}`;
}

const documentsOf = (count: number): string => `${count} ${count === 1 ? 'document' : 'documents'}`;

function cut(text: string): string {
  return text.length > maxTextCharacters ? `${text.slice(0, maxTextCharacters)}… (cut here)` : text;
}

/** How long an open response waits for the user; the card in the web app stays longer. */
const questionTimeoutMs = 5 * 60_000;
const pollMs = 1_000;

interface Asking {
  actor: Actor;
  isCancelled: (requestId: unknown) => Promise<boolean>;
  /** Runs a decision when it is the turn of the organization. */
  inTurn: (decide: (admit: Admit) => Promise<McpOutcome>) => Promise<McpOutcome>;
}

interface Question {
  context: ServerContext;
  waiting: CallToDecide;
  message: string;
  outcome: McpOutcome;
}

/**
 * Asks the user through the client during a call. The first decision counts: when the card in the web app is decided,
 * the question is withdrawn. Without an answer, the call stays pending; one that the client cancels is rejected.
 */
export async function askWhileWaiting(
  calls: McpCallService,
  { actor, isCancelled, inTurn }: Asking,
  { context, waiting, message, outcome }: Question,
): Promise<McpOutcome> {
  const ended = new AbortController();
  const form = { mode: 'form' as const, message, requestedSchema: approvalForm };
  const { id: relatedRequestId, signal, elicitInput } = context.mcpReq;
  const options = { relatedRequestId, timeout: questionTimeoutMs, signal: AbortSignal.any([ended.signal, signal]) };
  const answered = elicitInput(form, options).then(
    ({ action }) => action,
    () => 'cancel' as const,
  );
  const elsewhere = decidedElsewhere(ended.signal);
  const first = await Promise.race([answered, elsewhere]);
  ended.abort();
  if (typeof first !== 'string') return first;
  return inTurn(async (admit) => {
    // A cancelled call must not be approved by accident.
    if (await isCancelled(relatedRequestId)) return calls.decide(actor, waiting, false, admit);
    if (first !== 'cancel') return calls.decide(actor, waiting, first === 'accept', admit);
    const now = await calls.outcome(actor, waiting);
    return now.kind === 'waiting' ? outcome : now;
  });

  async function decidedElsewhere(isOver: AbortSignal): Promise<McpOutcome> {
    for (;;) {
      await sleep(pollMs, undefined, { signal: isOver }).catch(() => undefined);
      if (isOver.aborted) return outcome;
      const now = await pollInTurn(actor, () => calls.outcome(actor, waiting));
      if (now.kind !== 'waiting') return now.kind === 'running' ? calls.outcome(actor, waiting, 60) : now;
    }
  }
}
