import type { Column } from '@docwright/contract';
import { useState } from 'react';
import { executeSchemaCalls } from '../api/schema-chat-api.ts';
import { projectOf } from './use-designer.ts';
import type { Design } from './designer-state.ts';

/** By pattern: what the server says against it. */
export type RefusedPatterns = Record<string, string>;

interface RegexCheck {
  refused: RefusedPatterns;
  /** Once a pattern is written. */
  check: (column: Column) => void;
}

/**
 * Patterns are judged by the server alone, which reads them otherwise than a browser: a change of the column is tried out. Nothing is
 * stored, its answer is dropped; saving says again what is wrong.
 */
export function useRegexCheck(orgId: string, design: Design): RegexCheck {
  const [refused, setRefused] = useState<RefusedPatterns>({});
  const check = async (column: Column) => {
    const { id, regex } = column;
    if (regex === '' || refused[regex] !== undefined) return;
    const called = { name: 'edit_column', arguments: JSON.stringify({ columnId: id, updates: { regex } }) };
    // Without the others, whose faults are not this one's.
    const alone = { ...design, columns: [{ ...column, name: 'Column', regex: '' }] };
    const answer = await executeSchemaCalls({
      toolDecisions: [{ id: 'check', function: called, approved: true }],
      ...projectOf(orgId, alone),
    });
    const [result] = answer.results;
    if (result?.success === false) setRefused((present) => ({ ...present, [regex]: result.error ?? 'Not a pattern.' }));
  };
  return { refused, check: (column) => void check(column).catch(() => undefined) };
}
