import { ChevronRight } from 'lucide-react';
import { memo, Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { isRecord, parseJson, recordsIn, textFrom } from '../../../shared/http/json-value.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { denialReason, rejectionReason, stalenessReason } from '../../../agent-ui/call-outcome.ts';
import { isQuestion } from '../approvals/decision-batch.ts';
import { CallStateIcon, CallStateLabel } from '../../../agent-ui/call-state-badge.tsx';
import { callLabel, callSubject, callOutcomeLabel } from '../../../agent-ui/call-labels.ts';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { isPlan, planProgress } from '../../../agent-ui/changes/plan-draft.ts';
import { unsentOf } from '../../../agent-ui/drafts/unsent-drafts.ts';
import { RawJson } from '../../../agent-ui/raw-json.tsx';
import { Link } from '@tanstack/react-router';
import { linkButtonClass } from '../../../shared/ui/button.tsx';
import { textLinkClass } from '../../../shared/ui/text-link.ts';

/** Loaded with the first open card. */
const CallChange = lazyPart(async () => ({
  default: (await import('../../../agent-ui/changes/call-change.tsx')).CallChange,
}));

const UnsentNote = lazyPart(async () => ({
  default: (await import('../../../agent-ui/changes/unsent-note.tsx')).UnsentNote,
}));

interface ToolCardProps {
  card: ToolCard;
  /** The decision so far, while others of its batch are open. */
  decision?: string | undefined;
  /** The controls of a pending card. */
  children?: ReactNode;
}

/** A tool call: one line once it is finished, with all details while it is pending. */
export const ToolCardView = memo(function ToolCardView({ card, decision, children }: ToolCardProps) {
  const isPending = card.state === 'waiting';
  const [opened, setOpened] = useState<boolean>();
  // A plan stays open while its steps run.
  const isRunningPlan = Object.values(card.planSteps ?? {}).some((step) => step === 'waiting' || step === 'running');
  const open = opened ?? (isPending || isRunningPlan);
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
        isPending && decision === undefined ? 'border-warn' : 'border-line',
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
          {outcome === undefined && decision === undefined ? (
            <CallStateLabel state={card.state} />
          ) : (
            <span className="text-xs text-ink-faint">{outcome ?? decision}</span>
          )}
          <ChevronRight
            aria-hidden
            className={classNames('size-3.5 text-ink-faint transition-transform', open && 'rotate-90')}
          />
        </span>
      </button>
      <Outcome card={card} />
      {card.name === 'run_extraction' && card.state === 'done' && <ExtractionLink card={card} />}
      {card.name === 'split_document' && <SplitLinks card={card} />}
      {isQuestion(card) && card.state === 'done' && <GivenAnswers card={card} />}
      {open && (
        <div className="flex flex-col gap-2 border-t border-line px-2.5 py-2">
          {card.proposal !== undefined && card.proposal.summary !== '' && !isQuestion(card) && !isPlan(card) && (
            <p className="text-sm wrap-anywhere">{card.proposal.summary}</p>
          )}
          <Suspense>
            <CallChange card={card} hidesPlan={isPending} />
          </Suspense>
          <RawJson label="Arguments" value={parseJson(card.arguments)} />
          {card.result !== undefined && <RawJson label="Result" value={card.result} />}
        </div>
      )}
      {isPending ? (
        children
      ) : unsentOf(card.id) ? (
        <Suspense>
          <UnsentNote card={card} />
        </Suspense>
      ) : null}
    </section>
  );
});

/** Why a call was not carried out. */
function Outcome({ card }: { card: ToolCard }) {
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

function outcomeReason(card: ToolCard): string | undefined {
  if (card.state === 'rejected') return rejectionReason(card);
  if (card.state === 'denied') return denialReason(card);
  return card.state === 'stale' ? stalenessReason(card) : card.error;
}

/** Links a finished extraction to its values. */
function ExtractionLink({ card }: { card: ToolCard }) {
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

/** New documents that a card links to one by one. */
const maxLinkedDocuments = 10;

/** Links to the new documents of a finished split, and to the pages of the file with their boundaries. */
function SplitLinks({ card }: { card: ToolCard }) {
  const documents = card.state === 'done' && isRecord(card.result) ? recordsIn(card.result['documents']) : [];
  const left = documents.length - maxLinkedDocuments;
  return (
    <div className="flex flex-col items-start gap-1.5 px-2.5 pb-2">
      {documents.length > 0 && (
        <ul className="flex max-w-full flex-col gap-1 text-sm" aria-label="New documents">
          {documents.slice(0, maxLinkedDocuments).map(({ document_id, document_name }) => (
            <li key={textFrom(document_id)} className="min-w-0 truncate">
              <Link
                to="/documents/$documentId"
                params={{ documentId: textFrom(document_id) }}
                className={textLinkClass}
              >
                {textFrom(document_name)}
              </Link>
            </li>
          ))}
          {left > 0 && <li className="text-ink-soft">and {left} more in the list of documents</li>}
        </ul>
      )}
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

/** The user's answers to the agent's questions. */
function GivenAnswers({ card }: { card: ToolCard }) {
  const answers = isRecord(card.result) ? recordsIn(card.result['answers']) : [];
  if (answers.length === 0) return null;
  return (
    <dl className="flex flex-col gap-1.5 px-2.5 pb-2 text-sm">
      {answers.map((answer) => {
        const options = recordsIn(answer['chosen']).map(({ label }) => textFrom(label));
        const texts = [...options, textFrom(answer['other'])].filter((text) => text !== '');
        return (
          <div key={textFrom(answer['question_id'])}>
            <dt className="text-ink-faint wrap-anywhere">{textFrom(answer['question_text'])}</dt>
            <dd className="wrap-anywhere">{texts.join(', ') || 'No answer'}</dd>
          </div>
        );
      })}
    </dl>
  );
}
