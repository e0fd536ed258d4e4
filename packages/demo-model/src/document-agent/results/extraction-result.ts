import type { RuleInput } from '../../conversation/conversation.ts';
import { describeRefusal } from '../../conversation/outcome.ts';
import { type BatchSteps, use } from '../../conversation/plan.ts';

export interface ExtractionResult {
  /** The whole extraction, as in the tool's result or the working state. */
  value: Record<string, unknown>;
  result: unknown;
  schemaRevid: string | null;
}

/** The current extraction, or a message when there is none. It is read again if the working state has only a part of it. */
export function* readResult(conversation: RuleInput): BatchSteps<ExtractionResult | string> {
  const { extraction } = conversation.workingState;
  if (isExtraction(extraction) && !JSON.stringify(extraction).includes('[cut: ')) return fromValue(extraction);
  const outcome = yield* use('get_extraction_result', {});
  if (outcome.kind === 'done' && isExtraction(outcome.value)) return fromValue(outcome.value);
  if (outcome.kind === 'rejected') return describeRefusal('read the extraction', outcome);
  return 'There is no extraction of this document yet. Say “create a schema for this document and extract it” first.';
}

function isExtraction(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'result' in value &&
    typeof value.result === 'object' &&
    value.result !== null
  );
}

function fromValue(value: Record<string, unknown>): ExtractionResult {
  const revid = value.schema_revid;
  return { value, result: value.result, schemaRevid: typeof revid === 'string' ? revid : null };
}
