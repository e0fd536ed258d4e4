import type { Column } from '@docwright/contract';
import { useCallback, useRef, useState } from 'react';
import { executeSchemaCalls } from '../../../shared/api/schema-chat-api.ts';
import { checkKey, type CheckedField, type RefusedTexts } from './column-check.ts';
import { emptyDesign } from './designer-state.ts';
import { projectOf } from './use-designer.ts';

interface ServerCheck {
  refused: RefusedTexts;
  /** Once a person is done with a field. */
  check: (column: Column, field: CheckedField) => void;
}

/**
 * Patterns and allowed values are judged by the server alone, whose engine reads patterns otherwise than a browser: writing them is
 * tried out on a column of its own. Nothing is stored by it, and what came of it is dropped.
 */
export function useServerCheck(orgId: string): ServerCheck {
  const [refused, setRefused] = useState<RefusedTexts>({});
  const asked = useRef(new Set<string>());
  const check = useCallback(
    (column: Column, field: CheckedField) => {
      const key = checkKey(column, field);
      if (column[field].trim() === '' || asked.current.has(key)) return;
      asked.current.add(key);
      const note = async () => {
        const problem = await problemWith(orgId, column, field);
        if (problem !== undefined) setRefused((present) => ({ ...present, [key]: problem }));
      };
      // Not answered: the next time asks again, and saving says what is wrong.
      void note().catch(() => asked.current.delete(key));
    },
    [orgId],
  );
  return { refused, check };
}

async function problemWith(orgId: string, column: Column, field: CheckedField): Promise<string | undefined> {
  const alone = { ...column, name: 'Column', allowedValues: '', regex: '' };
  const args = JSON.stringify({ columnId: column.id, updates: { [field]: column[field] } });
  const answer = await executeSchemaCalls(orgId, {
    toolDecisions: [{ id: 'check', function: { name: 'edit_column', arguments: args }, approved: true }],
    ...projectOf(orgId, { ...emptyDesign, columns: [alone] }),
  });
  const [result] = answer.results;
  return result?.success === false ? (result.error ?? 'Not accepted.') : undefined;
}
