import type { ReactNode } from 'react';
import { CallStateIcon } from './call-state-badge.tsx';
import type { CallState } from './chat-state.ts';

/** The calls of an answer, a line each. */
export function CallList({ children }: { children: ReactNode }) {
  return (
    <ul aria-label="What was done" className="flex flex-col rounded-md border border-line bg-raised py-0.5 text-sm">
      {children}
    </ul>
  );
}

interface CallLineProps {
  state: CallState;
  /** The call in words. */
  label: string;
  /** Beside the words. */
  aside?: ReactNode;
  /** Makes the line a button. */
  onOpen?: (() => void) | undefined;
  /** Why it failed. */
  error?: string | undefined;
  /** Below the line, indented like its words. */
  children?: ReactNode;
}

export function CallLine({ state, label, aside, onOpen, error, children }: CallLineProps) {
  const line = (
    <>
      <CallStateIcon state={state} />
      <span className="min-w-0 flex-1 wrap-anywhere">{label}</span>
      {aside}
    </>
  );
  const look = 'flex min-h-7 w-full items-center gap-2 px-2.5 py-0.5 text-left';
  return (
    <li>
      {onOpen ? (
        <button type="button" onClick={onOpen} className={`${look} rounded-sm hover:bg-hover`}>
          {line}
        </button>
      ) : (
        <div className={look}>{line}</div>
      )}
      <div className="pr-2.5 pb-1 pl-8.5 text-xs wrap-anywhere empty:hidden">
        {error !== undefined && <p className="text-bad">{error}</p>}
        {children}
      </div>
    </li>
  );
}
