import type { Column } from '@docwright/contract';
import { useCallback, useRef, useState } from 'react';
import { executeSchemaCalls } from '../../../shared/api/schema-chat-api.ts';
import { checkKey, type CheckedField, type RejectedTexts } from './column-check.ts';
import { emptyDesign } from './designer-state.ts';
import { projectOf } from './use-designer.ts';

/**
 * Validates patterns and allowed values on the server, whose engine for patterns differs from the browser's. The server
 * applies the edit to a single column and stores nothing.
 */
export function useServerCheck(orgId: string) {
  const [rejected, setRejected] = useState<RejectedTexts>({});
  const checked = useRef(new Set<string>());
  const check = useCallback(
    (column: Column, field: CheckedField) => {
      const key = checkKey(column, field);
      if (column[field].trim() === '' || checked.current.has(key)) return;
      checked.current.add(key);
      const run = async () => {
        const problem = await problemWith(orgId, column, field);
        if (problem !== undefined) setRejected((present) => ({ ...present, [key]: problem }));
      };
      // After a failed request the next edit checks again, and saving reports the problem.
      void run().catch(() => checked.current.delete(key));
    },
    [orgId],
  );
  return {
    rejected,
    /** Called when a field loses the focus. */
    check,
  };
}

async function problemWith(orgId: string, column: Column, field: CheckedField): Promise<string | undefined> {
  const testColumn = { ...column, name: 'Column', allowedValues: '', regex: '' };
  const args = JSON.stringify({ columnId: column.id, updates: { [field]: column[field] } });
  const answer = await executeSchemaCalls(orgId, {
    toolDecisions: [{ id: 'check', function: { name: 'edit_column', arguments: args }, approved: true }],
    ...projectOf(orgId, { ...emptyDesign, columns: [testColumn] }),
  });
  const [result] = answer.results;
  return result?.success === false ? (result.error ?? 'Not accepted.') : undefined;
}
