import { useEffect, type Dispatch } from 'react';
import { useDecisionKeys, findCard } from '../../../agent-ui/use-decision-keys.ts';
import type { DesignerAction } from './designer-reducer.ts';
import { undecidedCalls, type DesignerState } from './designer-state.ts';
import { tableRows } from './proposals.ts';

/** Scrolls to a pending change and focuses it. */
export function showChange(callId: string): void {
  const card = findCard(callId);
  card?.scrollIntoView({ block: 'nearest' });
  card?.focus({ preventScroll: true });
}

/** Ids of the pending changes in display order: settings, then row by row. */
function inDisplayedOrder(state: DesignerState): string[] {
  const open = undecidedCalls(state);
  const { columns, tables = {} } = state.design;
  const rows = [
    ...tableRows(columns, open, { tables }),
    ...Object.entries(tables).flatMap(([table, list]) => tableRows(list, open, { table, tables })),
  ];
  const inTable = [...new Set(rows.flatMap(({ call }) => (call ? [call.id] : [])))];
  const others = open.filter(({ id }) => !inTable.includes(id)).map(({ id }) => id);
  return [...others, ...inTable];
}

/** Y and N decide the focused change; each decision focuses the next one unless the user is writing. */
export function usePendingChanges(
  state: DesignerState,
  enabled: boolean,
  dispatch: Dispatch<DesignerAction>,
): string[] {
  const order = inDisplayedOrder(state);
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
    const isIdle =
      active === document.body ||
      active?.closest('[data-card]') !== null ||
      (active instanceof HTMLTextAreaElement && active.matches('[data-composer]') && active.value === '');
    if (enabled && isIdle && count > 0 && first !== undefined) showChange(first);
  }, [enabled, first, count]);
  return order;
}
