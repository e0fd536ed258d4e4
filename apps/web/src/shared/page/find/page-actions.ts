import { useEffect, useRef } from 'react';

/** What a page can do now, for the search with Ctrl+K. */
export interface PageAction {
  name: string;
  run: () => void;
}

const offered = new Set<() => readonly PageAction[]>();

/** The actions of the page as they are now, in the order in which its parts offered them. */
export const pageActions = (): PageAction[] => [...offered].flatMap((read) => read());

/** Offers actions in the search while the component is shown. */
export function usePageActions(actions: readonly PageAction[]): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const read = () => latest.current;
    offered.add(read);
    return () => void offered.delete(read);
  }, []);
}
