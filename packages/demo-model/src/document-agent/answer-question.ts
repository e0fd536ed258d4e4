import type { RuleInput } from '../conversation/conversation.ts';
import { plainText } from '../conversation/markdown.ts';
import type { PlanOfSteps } from '../conversation/plan.ts';
import { fillSchema } from '../fill/fill-schema.ts';
import { hasText } from '../page/document-text.ts';
import { wordsOf } from '../page/fold.ts';
import { newField, propertyNameFor } from '../propose/new-field.ts';
import { objectSchema } from '../propose/propose-schema.ts';
import { readWholeDocument, whyNoText } from './pages/page-texts.ts';
import { leavesOf, pathFor, type Scalar } from './results/value-paths.ts';

const question =
  /^(?:please\s+|and\s+|so\s+|tell me\s+|can you tell me\s+)*(?:what(?:'s|’s| is| are| was)?|which|who(?:'s|’s| is)?|when(?:'s|’s| is| was)?|how much(?: is| are)?|how many|tell me|was ist|wie (?:hoch|lautet)|wer ist|wann|quel(?:le)? est)\s+(?:the\s+|our\s+|its\s+|der\s+|die\s+|das\s+|le\s+|la\s+)?(?<subject>.+?)\s*\??$/iu;

/** The subject of a question; undefined when the message is not a question. */
export function questionSubject(request: string): string | undefined {
  const subject = question
    .exec(request.trim())
    ?.groups?.subject?.replace(
      /\s+(?:of|on|in)\s+(?:this|the)\s+(?:document|invoice|receipt|page|contract|form|bill)\b/iu,
      '',
    )
    .replace(/^(?:it|this|that)\s+/iu, '')
    .trim();
  if (subject === 'due' && /how much/iu.test(request)) return 'amount due';
  // `Tell me a joke` asks for no value of the document.
  return subject === undefined || /^(?:an?|me|about|if|why|how)\s/iu.test(subject) ? undefined : subject;
}

/** Answers from the extraction if it has the value, otherwise from the pages with the source line. */
export function* answerQuestion(subject: string, conversation: RuleInput): PlanOfSteps {
  const { workingState } = conversation;
  const extraction = workingState.extraction as { result?: unknown } | null;
  const result = extraction?.result;
  const rowCount = countRows(subject, result);
  if (rowCount !== null) return rowCount;
  const leaves = leavesOf(result);
  const path = pathFor(subject, leaves);
  const value = path === null ? null : (leaves.get(path) ?? null);
  if (path !== null && value !== null && value !== '')
    return `**${wordsOf(path)}**: ${plainText(String(value))} (from the extraction).`;
  const document = yield* readWholeDocument(conversation);
  if (!document || !hasText(document))
    return whyNoText(conversation) ?? 'No text could be read on the pages of this document, so I cannot answer that.';

  const name = propertyNameFor(subject);
  const filled = fillSchema(objectSchema({ [name]: newField(subject, null) }), document);
  const found = (filled.value as Record<string, Scalar>)[name] ?? null;
  const line = filled.sources.get(name);
  if (found === null || found === '' || line === undefined)
    return `I find no “${subject}” on the pages, or I am not certain enough of it.`;
  return `**${wordsOf(subject)}**: ${plainText(String(found))}. On page ${line.page} it says: “${plainText(line.text.trim())}”.`;
}

/** The answer to a question such as `How many line items?`; null for any other question. */
function countRows(subject: string, result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return null;
  const asked = wordsOf(subject.replace(/\s+(?:are there|do (?:we|i) have|is there)$/iu, ''));
  const list = Object.entries(result).find(([name, value]) => Array.isArray(value) && wordsOf(name) === asked);
  return list ? `There are ${(list[1] as unknown[]).length} ${asked} in the extraction.` : null;
}
