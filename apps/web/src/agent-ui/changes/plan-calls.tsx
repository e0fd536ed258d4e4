import { createContext, useMemo, type ReactNode } from 'react';
import type { ChatState, ToolCard } from '../chat-state.ts';

/** What a plan's card reads from its conversation. */
interface PlanCalls {
  /** All calls of the conversation, including those that carry out steps of plans. */
  calls: readonly ToolCard[];
  /** Sends a message to the agent; undefined while it runs or is pending. */
  sendMessage: ((text: string) => void) | undefined;
}

export const PlanCallsContext = createContext<PlanCalls>({ calls: [], sendMessage: undefined });

interface PlanCallsProviderProps {
  state: Pick<ChatState, 'entries' | 'phase'>;
  sendMessage: (text: string) => void;
  children: ReactNode;
}

export function PlanCallsProvider({ state: { entries, phase }, sendMessage, children }: PlanCallsProviderProps) {
  const value = useMemo(
    () => ({
      calls: entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.cards : [])),
      sendMessage: phase === 'idle' ? sendMessage : undefined,
    }),
    [entries, phase, sendMessage],
  );
  return <PlanCallsContext value={value}>{children}</PlanCallsContext>;
}
