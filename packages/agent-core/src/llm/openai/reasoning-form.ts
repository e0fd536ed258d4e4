import type { ReasoningLevel, RequestPart } from '@docwright/contract';
import type { LlmRequest } from '../llm-client.ts';
import type { ProviderDialect } from './provider-dialect.ts';

/** A form of the wish how much to think: the part that an endpoint can refuse, and its fields. */
interface ReasoningForm {
  readonly part: RequestPart;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Thinking tokens for each level, as `budget_tokens`; an answer gets as many again as `answerTokens`. */
const budgets = { low: 2_048, medium: 8_192, high: 16_384 } as const;
const answerTokens = 16_384;

/** The forms for an endpoint, the most expressive first. After the last one nothing is sent: the endpoint decides. */
function formsOf(level: ReasoningLevel, dialect: ProviderDialect): ReasoningForm[] {
  const effort = (value: string, part: RequestPart = 'reasoning_effort'): ReasoningForm => ({
    part,
    fields: { reasoning_effort: value },
  });
  if (dialect.reasoning === 'object') {
    return [{ part: 'reasoning', fields: { reasoning: level === 'off' ? { enabled: false } : { effort: level } } }];
  }
  if (level === 'off') {
    const off: ReasoningForm = { part: 'thinking', fields: { thinking: { type: 'disabled' } } };
    if (dialect.reasoning === 'thinking' || dialect.reasoning === 'switch') return [off];
    return [effort('none', 'reasoning_effort_none'), effort('minimal', 'reasoning_effort_minimal')];
  }
  if (dialect.reasoning === 'switch') {
    return [{ part: 'thinking', fields: { thinking: { type: 'enabled' }, reasoning_effort: level } }, effort(level)];
  }
  if (dialect.reasoning === 'effort') return [effort(level)];
  const budget_tokens = budgets[level];
  const thinking = { type: 'enabled', budget_tokens };
  return [{ part: 'thinking', fields: { thinking, max_tokens: budget_tokens + answerTokens } }, effort(level)];
}

/** The form to send with a request; undefined if the endpoint has refused each one, or if none is wished. */
export function reasoningFormOf(
  request: LlmRequest,
  dialect: ProviderDialect,
  refused: ReadonlySet<RequestPart>,
): ReasoningForm | undefined {
  const { reasoning } = request;
  if (reasoning === undefined) return undefined;
  if (reasoning !== 'off' && dialect.signsThinking && isWithinUnsignedRound(request)) return undefined;
  return formsOf(reasoning, dialect).find(({ part }) => !refused.has(part));
}

/**
 * Whether the request continues calls that were made without signed thinking, by another model or before thinking was turned
 * on. Claude refuses to begin to think there.
 */
function isWithinUnsignedRound({ messages, model }: LlmRequest): boolean {
  const conversation = messages.filter(({ role }) => role !== 'system');
  if (conversation.at(-1)?.role !== 'tool') return false;
  const calling = conversation.findLast((message) => message.role === 'assistant');
  if (calling?.role !== 'assistant') return false;
  const isSigned = (calling.reasoning ?? []).some(
    (block) => block.kind === 'redacted' || block.kind === 'detail' || (block.kind === 'thinking' && block.signature),
  );
  return !isSigned || calling.model !== model;
}
