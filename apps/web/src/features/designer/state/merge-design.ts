import type { Column, SchemaExecuteAnswer } from '@docwright/contract';
import type { Design } from './designer-state.ts';

/**
 * What carried-out calls have changed, taken over into what is on the page now: what was written by hand while they were under way
 * stays.
 */
export function mergeDesign(sent: Design, answer: SchemaExecuteAnswer, present: Design): Design {
  const changed = <Value>(before: Value, after: Value, now: Value) =>
    JSON.stringify(before) === JSON.stringify(after) ? now : after;
  return {
    ...present,
    columns: mergeColumns(sent.columns, answer.updatedColumns, present.columns),
    description: changed(sent.description, answer.updatedDescription, present.description),
    multiRow: changed(sent.multiRow, answer.updatedMultiRowExtraction, present.multiRow),
    featureFlags: changed(sent.featureFlags, answer.updatedFeatureFlags, present.featureFlags),
  };
}

function mergeColumns(sent: Column[], updated: Column[], present: Column[]): Column[] {
  const before = new Map(sent.map((column) => [column.id, column]));
  const after = new Map(updated.map((column) => [column.id, column]));
  const kept = present.flatMap((column) => {
    const [old, next] = [before.get(column.id), after.get(column.id)];
    if (old === undefined) return [column];
    return next === undefined ? [] : [{ ...column, ...differences(old, next) }];
  });
  const known = new Set(present.map(({ id }) => id));
  return [...kept, ...updated.filter(({ id }) => !before.has(id) && !known.has(id))];
}

const fields = ['name', 'type', 'description', 'allowedValues', 'regex'] as const;

function differences(old: Column, next: Column): Partial<Column> {
  return Object.fromEntries(fields.filter((field) => old[field] !== next[field]).map((field) => [field, next[field]]));
}
