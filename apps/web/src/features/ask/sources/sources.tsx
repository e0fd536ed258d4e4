import type { AskCoverage, Citation, Claim } from '@docwright/contract';
import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react';

/** An answer whose sources are shown. */
export interface SourcedAnswer {
  /** Counts the questions of the conversation from 0. */
  question: number;
  claims: readonly Claim[];
  coverage: AskCoverage | undefined;
}

/** What is shown in detail: a citation, or the documents without a value. */
export type Detail = { kind: 'citation'; citation: Citation; ordinal: number } | { kind: 'missing' };

interface Sources {
  answer: SourcedAnswer | undefined;
  detail: Detail | undefined;
  /** Shows the sources of an answer; a later answer replaces an earlier one, and keeps no detail of it. */
  show: (answer: SourcedAnswer) => void;
  open: (answer: SourcedAnswer, detail: Citation | 'missing') => void;
  close: () => void;
}

const SourcesContext = createContext<Sources | undefined>(undefined);

export function useSources(): Sources {
  const sources = use(SourcesContext);
  if (!sources) throw new Error('useSources needs SourcesProvider above it');
  return sources;
}

/** The conversation mounts anew where the window becomes narrow, and loads the same answer again. */
const isSameAnswer = (one: SourcedAnswer | undefined, other: SourcedAnswer): boolean =>
  one?.question === other.question &&
  one.claims.length === other.claims.length &&
  one.claims.every(({ text }, at) => text === other.claims[at]!.text);

interface SourcesProviderProps {
  /** Called when a citation is opened, so that a narrow window shows the sources. */
  onOpen: () => void;
  children: ReactNode;
}

/** Shares the sources of the answer that is read between the conversation and the documents beside it. */
export function SourcesProvider({ onOpen, children }: SourcesProviderProps) {
  const [{ answer, detail }, set] = useState<Pick<Sources, 'answer' | 'detail'>>({
    answer: undefined,
    detail: undefined,
  });
  const show = useCallback(
    (next: SourcedAnswer) =>
      set((present) =>
        present.answer !== undefined && next.question < present.answer.question
          ? present
          : { answer: next, detail: isSameAnswer(present.answer, next) ? present.detail : undefined },
      ),
    [],
  );
  const open = useCallback(
    (next: SourcedAnswer, opened: Citation | 'missing') => {
      set(({ detail: before }) => {
        const ordinal = before?.kind === 'citation' ? before.ordinal + 1 : 1;
        const missing = { kind: 'missing' as const };
        return {
          answer: next,
          detail: opened === 'missing' ? missing : { kind: 'citation', citation: opened, ordinal },
        };
      });
      onOpen();
    },
    [onOpen],
  );
  const close = useCallback(() => set(({ answer: kept }) => ({ answer: kept, detail: undefined })), []);
  const value = useMemo(() => ({ answer, detail, show, open, close }), [answer, detail, show, open, close]);
  return <SourcesContext value={value}>{children}</SourcesContext>;
}
