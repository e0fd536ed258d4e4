import type { CallEvaluation, Evaluation, Passage, Preview, ProposedCall } from '@docwright/contract';

/** The form has no fields: agreeing to it is the approval. */
export const approvalForm = { type: 'object' as const, properties: {} };

const maxTextCharacters = 2_000;

/** What a person is asked before a call runs: what would happen, with which arguments, and what it would change. */
export function approvalQuestion(call: ProposedCall, client: string, link: string): string {
  return [
    `${client} wants to run ${call.name} in Docwright: ${call.summary}.`,
    ...(call.preview ? [previewText(call.preview)] : []),
    ...(call.passages ?? []).slice(0, 5).map(passageText),
    `Arguments: ${cut(call.arguments)}`,
    `Accept to run it, decline to reject it. To see all of it, or to decide later: ${link}`,
  ].join('\n\n');
}

/** What came out of a document is named: the client's model may have been told to ask for it. */
function passageText({ path, quote, page_num }: Passage): string {
  const place = page_num === undefined ? 'a document' : `page ${page_num} of the document`;
  return `${path} was read in ${place}: “${quote}”.`;
}

function previewText(preview: Preview): string {
  switch (preview.kind) {
    case 'create':
      return preview.collides_with.length === 0
        ? 'Nothing of that name is there yet.'
        : `There is already: ${preview.collides_with.map(({ name }) => `“${name}”`).join(', ')}.`;
    case 'difference':
      return [
        `${preview.title}\nBefore:\n${cut(preview.before)}\nAfter:\n${cut(preview.after)}`,
        ...(preview.evaluation ? [evidenceText(preview.evaluation)] : []),
      ].join('\n\n');
    case 'field':
      return `${preview.path}: ${cut(JSON.stringify(preview.old_value))} becomes ${cut(JSON.stringify(preview.new_value))}`;
    case 'replace': {
      const values = preview.edited_values.map(({ path, edited_value }) => `${path}: ${JSON.stringify(edited_value)}`);
      const edited = preview.edited_count === 0 ? '' : ` Values that people changed: ${cut(values.join('; '))}`;
      return `It replaces a result that a person has ${preview.is_verified ? 'verified' : 'edited'} (version ${preview.version}, ${preview.value_count} values).${edited}${preview.cost === undefined ? '' : ` ${preview.cost}`}`;
    }
    case 'cost':
      return preview.message;
    case 'plan':
      return `${preview.title}\n${preview.steps.map(({ summary }, at) => `${at + 1}. ${cut(summary)}`).join('\n')}`;
    case 'delete': {
      const count = preview.dependent_count ?? preview.dependents.length;
      const named = preview.dependents.slice(0, 5).map(({ kind, name }) => `${kind} “${name}”`);
      return `“${preview.name}” would go.${count === 0 ? '' : ` On it depend ${count}: ${named.join(', ')}${count > named.length ? ' …' : ''}`}`;
    }
  }
}

/** What is known of the effect on verified results: figures alone, no value of a document. */
function evidenceText({ verified_documents, evaluation, evaluations, stale }: CallEvaluation): string {
  if (verified_documents === 0)
    return 'Effect: there is nothing to measure it on, as no result of this prompt is verified.';
  const measured = evaluations?.map((each) => each.evaluation) ?? (evaluation ? [evaluation] : []);
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
