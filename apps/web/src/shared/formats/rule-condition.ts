import type { EvaluationCondition, PermissionRule } from '@docwright/contract';

/** A rule's condition in words; empty if it has none. */
export function conditionLabel(when: PermissionRule['when']): string {
  if (when === undefined) return '';
  if ('evaluation' in when) return evidenceLabel(when.evaluation);
  if ('provenance' in when)
    return `where ${when.provenance.path} comes from ${argumentSourceLabel[when.provenance.from]}`;
  return 'equals' in when
    ? `where ${when.path} is ${JSON.stringify(when.equals)}`
    : `where ${when.path} matches /${when.matches}/`;
}

/** Labels for the origin of an argument's content. */
export const argumentSourceLabel = {
  person: 'the user',
  catalog: 'your schemas, prompts and tags',
  document: 'a document',
  model: 'the model',
};

function evidenceLabel(evaluation: EvaluationCondition['evaluation']): string {
  const { broken_at_most, documents_at_least, accuracy_gain_at_least } = evaluation;
  const points = accuracy_gain_at_least === undefined ? undefined : Number((accuracy_gain_at_least * 100).toFixed(2));
  const shown = [
    broken_at_most !== undefined &&
      (broken_at_most === 0 ? 'breaks nothing' : `breaks at most ${broken_at_most} values`),
    points !== undefined && (points === 0 ? 'loses no accuracy' : `gains ${points} points of accuracy`),
    documents_at_least !== undefined && `on ${documents_at_least} or more verified documents`,
  ].filter((part) => part !== false);
  return `where a measurement ${shown.join(', ')}`;
}
