import { ChevronRight } from 'lucide-react';
import { lazy, memo, Suspense, useState, type ReactNode } from 'react';
import { parseJson, isRecord } from '../../../shared/http/json-value.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { denialReason, rejectionReason, stalenessReason } from '../../../agent-ui/call-outcome.ts';
import { isQuestion } from '../approvals/decision-batch.ts';
import { CallStateIcon, CallStateLabel } from '../../../agent-ui/call-state-badge.tsx';
import { callLabel, callSubject, callOutcomeLabel } from '../../../agent-ui/call-labels.ts';
import type { ToolCard as Card } from '../../../agent-ui/chat-state.ts';
import { isPlan, planProgress } from '../../../agent-ui/changes/plan-draft.ts';
import { RawJson } from '../../../agent-ui/raw-json.tsx';
import { Link } from '@tanstack/react-router';
import { linkButtonClass } from '../../../shared/ui/button.tsx';

/** Comes with the first card that is open. */
const CallChange = lazy(async () => ({
  default: (await import('../../../agent-ui/changes/call-change.tsx')).CallChange,
}));

interface ToolCardProps {
  card: Card;
  /** What was decided about it already, while others of its batch are still open. */
  said?: string | undefined;
  /** What the person can do while it waits. */
  children?: ReactNode;
}

/** A tool call as a lasting record: one line once it is over, everything there is to judge while it waits. */
export const ToolCardView = memo(function ToolCardView({ card, said, children }: ToolCardProps) {
  const waiting = card.state === 'waiting';
  const [opened, setOpened] = useState<boolean>();
  // A plan stays open while its steps run.
  const isUnderWay = Object.values(card.planSteps ?? {}).some((step) => step === 'waiting' || step === 'running');
  const open = opened ?? (waiting || isUnderWay);
  const subject = callSubject(card);
  const outcome = planProgress(card) ?? callOutcomeLabel(card);
  return (
    <section
      data-card={card.id}
      data-state={card.state}
      aria-label={`${callLabel(card.name)}${subject === undefined ? '' : ` ${subject}`}`}
      tabIndex={-1}
      className={classNames(
        'rounded-md border bg-raised',
        waiting && said === undefined ? 'border-warn' : 'border-line',
      )}
    >
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpened(!open)}
        className="flex min-h-8 w-full items-center gap-2 rounded-md px-2.5 py-1 text-left text-sm"
      >
        <CallStateIcon state={card.state} />
        <span className="shrink-0 font-medium">{callLabel(card.name)}</span>
        {subject !== undefined && <span className="min-w-0 truncate text-ink-soft">{subject}</span>}
        <span className="ml-auto flex shrink-0 items-center gap-1.5">
          {outcome === undefined && said === undefined ? (
            <CallStateLabel state={card.state} />
          ) : (
            <span className="text-xs text-ink-faint">{outcome ?? said}</span>
          )}
          <ChevronRight
            aria-hidden
            className={classNames('size-3.5 text-ink-faint transition-transform', open && 'rotate-90')}
          />
        </span>
      </button>
      <Outcome card={card} />
      {card.name === 'run_extraction' && card.state === 'done' && <ExtractionLink card={card} />}
      {card.name === 'split_document' && <SplitLink />}
      {isQuestion(card) && card.state === 'done' && <GivenAnswers card={card} />}
      {open && (
        <div className="flex flex-col gap-2 border-t border-line px-2.5 py-2">
          {card.proposal !== undefined && card.proposal.summary !== '' && !isQuestion(card) && !isPlan(card) && (
            <p className="text-sm wrap-anywhere">{card.proposal.summary}</p>
          )}
          <Suspense>
            <CallChange card={card} hidesPlan={waiting} />
          </Suspense>
          <RawJson label="Arguments" value={parseJson(card.arguments)} />
          {card.result !== undefined && <RawJson label="Result" value={card.result} />}
        </div>
      )}
      {waiting && children}
    </section>
  );
});

/** Why a call did not do what it proposed. */
function Outcome({ card }: { card: Card }) {
  if (card.error === undefined) return null;
  const text = outcomeReason(card);
  if (text === undefined) return null;
  return (
    <p
      className={classNames(
        'px-2.5 pb-2 text-sm wrap-anywhere',
        card.state === 'failed' ? 'text-bad' : 'text-ink-soft',
      )}
    >
      {text}
    </p>
  );
}

function outcomeReason(card: Card): string | undefined {
  if (card.state === 'rejected') return rejectionReason(card);
  if (card.state === 'denied') return denialReason(card);
  return card.state === 'stale' ? stalenessReason(card) : card.error;
}

/** From the card of an extraction that ran to its values. */
function ExtractionLink({ card }: { card: Card }) {
  const revision = isRecord(card.result) ? card.result['prompt_revid'] : undefined;
  const prompt = typeof revision === 'string' ? { prompt: revision } : {};
  return (
    <div className="px-2.5 pb-2">
      <Link
        from="/documents/$documentId"
        search={(present) => ({ ...present, tab: 'extraction' as const, ...prompt })}
        className={linkButtonClass('secondary', 'small')}
      >
        See the values
      </Link>
    </div>
  );
}

/** To the pages of the file, beside which the boundaries of its documents stand. */
function SplitLink() {
  return (
    <div className="px-2.5 pb-2">
      <Link
        from="/documents/$documentId"
        to="/documents/$documentId/split"
        className={linkButtonClass('secondary', 'small')}
      >
        See the pages
      </Link>
    </div>
  );
}

const list = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);
const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** What the person answered to the agent's questions, in the card that asked. */
function GivenAnswers({ card }: { card: Card }) {
  const answers = isRecord(card.result) ? list(card.result['answers']) : [];
  if (answers.length === 0) return null;
  return (
    <dl className="flex flex-col gap-1.5 px-2.5 pb-2 text-sm">
      {answers.map((answer) => {
        const given = [...list(answer['chosen']).map(({ label }) => text(label)), text(answer['other'])];
        return (
          <div key={text(answer['question_id'])}>
            <dt className="text-ink-faint wrap-anywhere">{text(answer['question_text'])}</dt>
            <dd className="wrap-anywhere">{given.filter((each) => each !== '').join(', ') || 'No answer'}</dd>
          </div>
        );
      })}
    </dl>
  );
}
