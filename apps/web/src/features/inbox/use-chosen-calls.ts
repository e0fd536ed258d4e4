import type { Approval } from '@docwright/contract';
import { useState } from 'react';

const idsOf = (calls: readonly Approval[]) => new Set(calls.map(({ call_id }) => call_id));

interface ChosenCalls {
  chosen: Approval[];
  /** Ids of the listed calls that are not chosen. */
  excluded: ReadonlySet<string>;
  /** Chooses all listed calls except these. */
  exclude: (callIds: ReadonlySet<string>) => void;
}

/**
 * The calls of a group that a decision is about: those listed first, until the user ticks and unticks.
 * A call that joins the group later is not chosen by itself: the user may decide before they have seen it.
 */
export function useChosenCalls(calls: readonly Approval[], isLoading: boolean): ChosenCalls {
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>();
  if (chosenIds === undefined && !isLoading) setChosenIds(idsOf(calls));
  const isChosen = ({ call_id }: Approval) => chosenIds?.has(call_id) ?? true;
  return {
    chosen: calls.filter(isChosen),
    excluded: idsOf(calls.filter((call) => !isChosen(call))),
    exclude: (callIds) => setChosenIds(idsOf(calls.filter(({ call_id }) => !callIds.has(call_id)))),
  };
}
