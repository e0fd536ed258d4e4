import type { RuleInput } from '../../conversation/conversation.ts';
import { describeRefusal } from '../../conversation/outcome.ts';
import { type PlanOfSteps, use } from '../../conversation/plan.ts';
import { readResult } from './extraction-result.ts';
import { rowIn } from './value-paths.ts';

const removeRequest = /^(?:please\s+|can you\s+|now\s+)*(?:remove|delete|drop|take out)\s+(?<row>.+)$/iu;

/** The index of the row that a message asks to remove, from 0; -1 for the last row; undefined when it asks for none. */
export function rowToRemove(request: string): number | undefined {
  const words = removeRequest.exec(request.trim())?.groups?.row;
  return words === undefined ? undefined : (rowIn(words) ?? undefined);
}

/** Removes one row from the list of rows in the extraction. */
export function* removeRow(row: number, conversation: RuleInput): PlanOfSteps {
  const extraction = yield* readResult(conversation);
  if (typeof extraction === 'string') return extraction;
  const lists = Object.entries(extraction.result as Record<string, unknown>).filter(([, value]) =>
    Array.isArray(value),
  );
  const [path, rows] = (lists.length === 1 ? lists[0] : lists.find(([name]) => name === 'line_items')) ?? [];
  if (path === undefined || !Array.isArray(rows))
    return 'The extraction has no list of rows, or several: say which value you want changed.';
  const index = row === -1 ? rows.length - 1 : row;
  if (index >= rows.length) return `There are only ${rows.length} rows in \`${path}\`.`;
  const outcome = yield* use('update_extraction_field', { path, value: rows.toSpliced(index, 1) });
  return outcome.kind === 'done'
    ? `I removed row ${index + 1} from \`${path}\`.`
    : describeRefusal('remove the row', outcome);
}
