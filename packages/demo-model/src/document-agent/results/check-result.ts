import type { RuleInput } from '../../conversation/conversation.ts';
import { plainText } from '../../conversation/markdown.ts';
import { describeRefusal } from '../../conversation/outcome.ts';
import { type PlanOfSteps, use } from '../../conversation/plan.ts';
import { readResult } from './extraction-result.ts';

const asksToCheck =
  /\b(?:is|are|does|do|check|validate|verify)\b.*\b(?:extraction|results?|values|data|it)\b.*\b(?:valid|fits?|matche?s?|schema|correct against)\b|^\W*(?:please\s+)?validate\b/iu;

/** Whether a message asks to validate the extraction against its schema. */
export function asksForCheck(request: string): boolean {
  return asksToCheck.test(request);
}

/** Validates the extraction against its schema and lists the violations. */
export function* checkResult(conversation: RuleInput): PlanOfSteps {
  const extraction = yield* readResult(conversation);
  if (typeof extraction === 'string') return extraction;
  const schema_revid = extraction.schemaRevid ?? conversation.workingState.schemaRevid;
  if (schema_revid === null) return 'The extraction has no schema, so I cannot check it.';
  const outcome = yield* use('validate_against_schema', { schema_revid, data: extraction.result });
  if (outcome.kind !== 'done') return describeRefusal('check the extraction', outcome);
  if (outcome.value.valid === true)
    return 'All values fit the schema. Please compare them with the document yourself: I only know labels and positions.';
  const errors = Array.isArray(outcome.value.errors)
    ? (outcome.value.errors as { path?: string; message?: string }[])
    : [];
  const lines = errors.map(({ path = '', message = '' }) => `- \`${path}\`: ${plainText(message)}`);
  return `These values do not fit the schema:\n${lines.join('\n')}`;
}
