import type { PlanStepDecision, PlanStepState } from '@docwright/contract';
import { Check, CircleAlert, Pencil, RotateCw, Undo2, X } from 'lucide-react';
import { use, useCallback, useRef, useState, type KeyboardEvent } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import type { ToolCard } from '../chat-state.ts';
import { PlanCallsContext } from './plan-calls.tsx';
import { dependentsOf, skippedSteps, stepsOf, withDecision, type ShownStep } from './plan-draft.ts';
import { dashed, ResultLink, StepDetails } from './step-details.tsx';
import { StepEdit } from './step-edit.tsx';

interface PlanStepsProps {
  card: ToolCard;
  /** The user's decisions so far; omitted if the plan is already decided. */
  draft?: readonly PlanStepDecision[];
  onDraft?: (draft: PlanStepDecision[]) => void;
}

/** The steps of a plan, with controls to edit and skip them while it is pending. */
export function PlanSteps({ card, draft = [], onDraft }: PlanStepsProps) {
  const [editing, setEditing] = useState<string>();
  const [asking, setAsking] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  const focusOnce = useCallback((button: HTMLButtonElement | null) => {
    button?.focus();
    button?.closest('[role=alert]')?.scrollIntoView({ block: 'nearest' });
  }, []);
  const { calls, sendMessage } = use(PlanCallsContext);
  const steps = stepsOf(card);
  const callOf = (id: string) => calls.find(({ plan }) => plan?.plan_id === card.id && plan.step_id === id);
  const states = card.planSteps ?? {};
  const failed = steps.filter(({ id }) => states[id] === 'failed');
  const skipped = skippedSteps(steps, draft);
  const focusStep = (id: string) =>
    list.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(id)}"]`)?.focus();

  const skip = (step: ShownStep, isSure = false) => {
    if (!onDraft) return;
    if (!isSure && dependentsOf(steps, draft, step.id).length > 0) {
      setAsking(step.id);
      return;
    }
    setAsking(undefined);
    onDraft(withDecision(draft, { id: step.id, approved: false }));
    focusStep(step.id);
  };
  const restore = (step: ShownStep) => {
    // A restored step brings back the steps that it needs.
    const needed = new Set([step.id]);
    for (const { id, needs } of steps.toReversed()) if (needed.has(id)) for (const need of needs) needed.add(need);
    onDraft?.(draft.filter(({ id, approved }) => approved || !needed.has(id)));
    focusStep(step.id);
  };
  const save = (step: ShownStep, text: string) => {
    onDraft?.(withDecision(draft, { id: step.id, approved: true, arguments: text }));
    setEditing(undefined);
    focusStep(step.id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>, step: ShownStep, index: number) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = event.key === 'ArrowDown' ? steps[index + 1] : event.key === 'ArrowUp' ? steps[index - 1] : undefined;
    if (next) focusStep(next.id);
    else if (!onDraft) return;
    else if (event.key.toLowerCase() === 'x') {
      if (skipped.has(step.id)) restore(step);
      else skip(step);
    } else if (event.key.toLowerCase() === 'e' && !skipped.has(step.id)) setEditing(step.id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <ol ref={list} aria-label="Steps of the plan" className="flex flex-col divide-y divide-line">
      {steps.map((step, index) => {
        const isSkipped = skipped.has(step.id) || states[step.id] === 'skipped';
        const edited = draft.find(({ id, approved }) => id === step.id && approved)?.arguments;
        // A waiting step never runs once the turn has ended.
        const state = sendMessage && states[step.id] === 'waiting' ? 'ended' : states[step.id];
        const call = callOf(step.id);
        const dependents = asking === step.id ? dependentsOf(steps, draft, step.id) : [];
        return (
          <li key={step.id} className="flex gap-2 px-2.5 py-2 text-sm">
            <StepMark number={index + 1} state={state} isSkipped={isSkipped} />
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <div className="flex items-start gap-2">
                <button
                  type="button"
                  data-step={step.id}
                  tabIndex={onDraft ? 0 : -1}
                  aria-label={`Step ${index + 1}: ${step.summary}${isSkipped ? ' (skipped)' : ''}`}
                  onKeyDown={(event) => onKeyDown(event, step, index)}
                  className={classNames(
                    'min-w-0 flex-1 cursor-default rounded-xs text-left font-medium wrap-anywhere',
                    isSkipped && 'text-ink-faint line-through',
                  )}
                >
                  {step.summary}
                </button>
                {state !== undefined && <span className="shrink-0 text-xs text-ink-faint">{stateLabel[state]}</span>}
                {onDraft && editing !== step.id && (
                  <span className="-my-1 flex shrink-0 items-center gap-0.5">
                    {isSkipped ? (
                      <Button look="quiet" size="small" onClick={() => restore(step)}>
                        <Undo2 aria-hidden className="size-3.5" /> Restore
                      </Button>
                    ) : (
                      <>
                        <Button
                          look="quiet"
                          size="small"
                          aria-label={`Edit step ${index + 1}`}
                          onClick={() => setEditing(step.id)}
                        >
                          <Pencil aria-hidden className="size-3.5" />
                        </Button>
                        <Button
                          look="quiet"
                          size="small"
                          aria-label={`Skip step ${index + 1}`}
                          onClick={() => skip(step)}
                        >
                          <X aria-hidden className="size-4" />
                        </Button>
                      </>
                    )}
                  </span>
                )}
              </div>
              {!isSkipped && <StepDetails step={step} steps={steps} edited={edited} />}
              {state === 'done' && call && <ResultLink call={call} />}
              {state === 'failed' && call?.error !== undefined && (
                <p className="flex flex-wrap items-center gap-2 text-bad">
                  <span className="min-w-0 flex-1 wrap-anywhere">{call.error}</span>
                  {sendMessage && (
                    <Button size="small" onClick={() => sendMessage(`Try this step again: ${step.summary}`)}>
                      <RotateCw aria-hidden className="size-3.5" /> Retry
                    </Button>
                  )}
                </p>
              )}
              {asking === step.id && (
                <div
                  role="alert"
                  className="flex scroll-mb-20 flex-wrap items-center gap-2 rounded-md bg-warn-soft px-2 py-1.5"
                >
                  <span className="min-w-0 flex-1">{dependentsText(dependents, steps)}</span>
                  <Button look="danger" size="small" ref={focusOnce} onClick={() => skip(step, true)}>
                    Skip {dependents.length + 1} steps
                  </Button>
                  <Button look="quiet" size="small" onClick={() => setAsking(undefined)}>
                    Cancel
                  </Button>
                </div>
              )}
              {editing === step.id && (
                <StepEdit
                  argumentsText={edited ?? step.arguments}
                  onCancel={() => {
                    setEditing(undefined);
                    focusStep(step.id);
                  }}
                  onSave={(text) => save(step, text)}
                />
              )}
            </div>
          </li>
        );
      })}
      {!onDraft && failed.length > 0 && (
        <li className="px-2.5 py-2 text-xs text-ink-soft">
          Finished steps stay. Retry asks the agent to repeat the step; “What this turn changed” undoes all of it.
        </li>
      )}
      {onDraft && (
        <li className="px-2.5 py-2 text-xs text-ink-soft">
          Each step runs once, exactly as shown; only the <span className={dashed}>dashed</span> places are filled in
          later. Anything else needs your approval. Undo reverts the whole plan.
          <span className="hidden md:inline">
            {' '}
            <KeyCap name="E" /> edits and <KeyCap name="X" /> skips the step in focus.
          </span>
        </li>
      )}
    </ol>
  );
}

/** "Steps 3, 4 need its result and are skipped too." */
function dependentsText(dependents: readonly ShownStep[], steps: readonly ShownStep[]): string {
  const numbers = dependents.map(({ id }) => steps.findIndex((step) => step.id === id) + 1).join(', ');
  return dependents.length === 1
    ? `Step ${numbers} needs its result and is skipped too.`
    : `Steps ${numbers} need its result and are skipped too.`;
}

const stateLabel: Record<PlanStepState, string> = {
  waiting: 'next',
  skipped: 'skipped',
  running: 'running',
  done: 'done',
  failed: 'failed',
  ended: 'not run',
};

function StepMark({
  number,
  state,
  isSkipped,
}: {
  number: number;
  state: PlanStepState | undefined;
  isSkipped: boolean;
}) {
  if (state === 'running') return <Spinner label="Running" className="size-5 shrink-0 text-accent [&>span]:sr-only" />;
  if (state === 'done') return <Check aria-label="Done" className="mt-0.5 size-5 shrink-0 text-good" />;
  if (state === 'failed') return <CircleAlert aria-label="Failed" className="mt-0.5 size-5 shrink-0 text-bad" />;
  return (
    <span
      title={state && stateLabel[state]}
      className={classNames(
        'grid size-5 shrink-0 place-items-center rounded-full bg-sunken text-xs text-ink-soft tabular-nums',
        isSkipped && 'line-through',
      )}
    >
      {number}
    </span>
  );
}
