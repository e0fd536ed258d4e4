import { createContext, useMemo, type ReactNode } from 'react';
import type { ChatState, ToolCard } from '../chat-state.ts';

/** What a plan's card knows of the conversation around it. */
interface PlanCalls {
  /** The calls of the conversation, of which plans have let some run. */
  calls: readonly ToolCard[];
  /** Says something to the agent; undefined while it works or waits. */
  say: ((text: string) => void) | undefined;
}

export const PlanCallsContext = createContext<PlanCalls>({ calls: [], say: undefined });

interface PlanCallsOfProps {
  state: Pick<ChatState, 'entries' | 'phase'>;
  say: (text: string) => void;
  children: ReactNode;
}

export function PlanCallsOf({ state: { entries, phase }, say, children }: PlanCallsOfProps) {
  const value = useMemo(
    () => ({
      calls: entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.cards : [])),
      say: phase === 'idle' ? say : undefined,
    }),
    [entries, phase, say],
  );
  return <PlanCallsContext value={value}>{children}</PlanCallsContext>;
}
