import { useEffect, type Dispatch } from 'react';
import { useDecisionKeys } from '../../../agent-ui/use-decision-keys.ts';
import type { DesignerAction } from './designer-reducer.ts';
import { undecidedCalls, type DesignerState } from './designer-state.ts';
import { tableRows } from './proposals.ts';

const placeOf = (callId: string) => document.querySelector<HTMLElement>(`[data-card="${CSS.escape(callId)}"]`);

/** Leads to a change where it waits. */
export function showChange(callId: string): void {
  const place = placeOf(callId);
  place?.scrollIntoView({ block: 'nearest' });
  place?.focus({ preventScroll: true });
}

/** Changes in the order in which they stand on the page: settings, then row by row. */
function inOrder(state: DesignerState): string[] {
  const open = undecidedCalls(state);
  const { columns, tables = {} } = state.design;
  const rows = [
    ...tableRows(columns, open, { tables }),
    ...Object.entries(tables).flatMap(([table, own]) => tableRows(own, open, { table, tables })),
  ];
  const inTable = [...new Set(rows.flatMap(({ call }) => (call ? [call.id] : [])))];
  const others = open.filter(({ id }) => !inTable.includes(id)).map(({ id }) => id);
  return [...others, ...inTable];
}

/** Y and N decide the change in focus; each decision leads to the next, never away from something half written. */
export function useWaitingChanges(
  state: DesignerState,
  enabled: boolean,
  dispatch: Dispatch<DesignerAction>,
): string[] {
  const order = inOrder(state);
  const decide = (id: string, approved: boolean) => dispatch({ type: 'decided', ids: [id], approved });
  useDecisionKeys({
    enabled: enabled && order.length > 0,
    pending: order,
    onApprove: (id) => decide(id, true),
    onReject: (id) => decide(id, false),
  });
  const [first] = order;
  const count = order.length;
  useEffect(() => {
    const active = document.activeElement;
    const idle =
      active === document.body ||
      active?.closest('[data-card]') !== null ||
      (active instanceof HTMLTextAreaElement && active.matches('[data-composer]') && active.value === '');
    if (enabled && idle && count > 0 && first !== undefined) showChange(first);
  }, [enabled, first, count]);
  return order;
}
