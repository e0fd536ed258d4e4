import type { PlanSlot } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { Suspense } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { isRecord, parseJson } from '../../shared/http/json-value.ts';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import type { ToolCard } from '../chat-state.ts';
import { PassageNote } from './passage-note.tsx';
import type { ShownStep } from './plan-draft.ts';
import { argumentLabel, literalsOf, valueLabel } from './step-literals.ts';
import { textLinkClass } from '../../shared/ui/text-link.ts';

/** Loaded with the first difference. */
const TextDifference = lazyPart(async () => ({
  default: (await import('../../shared/difference/text-difference.tsx')).TextDifference,
}));

/** Classes of a place that is filled in later. */
export const dashed = 'rounded-xs border border-dashed border-line-strong box-decoration-clone px-1';

interface StepDetailsProps {
  step: ShownStep;
  steps: readonly ShownStep[];
  edited: string | undefined;
}

/** What a step creates or changes: open places, arguments and quoted passages. */
export function StepDetails({ step, steps, edited }: StepDetailsProps) {
  const collides = step.preview?.kind === 'create' ? step.preview.collides_with[0] : undefined;
  return (
    <>
      {step.why !== '' && <p className="text-ink-soft wrap-anywhere">{step.why}</p>}
      {step.open.length > 0 && (
        <p className="flex flex-wrap gap-x-2 gap-y-1 text-xs text-ink-soft">
          {step.open.map((slot) => (
            <span key={slot.path}>
              {argumentLabel(slot.path)} <span className={dashed}>{slotLabel(slot, steps)}</span>
            </span>
          ))}
        </p>
      )}
      {edited === undefined && <Literals step={step} />}
      {collides && <p className="text-xs text-warn">There is already one called “{collides.name}”.</p>}
      {step.preview?.kind === 'delete' && (
        <p className="text-xs text-warn">
          Deletes “{step.preview.name}”; {step.preview.dependent_count ?? step.preview.dependents.length} depend on it.
        </p>
      )}
      {step.preview?.kind === 'replace' && (
        <p className="text-xs text-warn">Replaces {step.preview.is_verified ? 'a verified' : 'an edited'} result.</p>
      )}
      {step.preview?.kind === 'field' && edited === undefined && (
        <p className="flex flex-wrap items-center gap-1.5 text-xs">
          <s className="rounded-xs bg-bad-soft px-1 wrap-anywhere">{valueLabel(step.preview.old_value)}</s>
          <ArrowRight aria-label="becomes" className="size-3.5 text-ink-faint" />
          <span className="rounded-xs bg-good-soft px-1 wrap-anywhere">{valueLabel(step.preview.new_value)}</span>
        </p>
      )}
      {step.preview?.kind === 'difference' && edited === undefined && (
        <Suspense>
          <TextDifference before={step.preview.before} after={step.preview.after} />
        </Suspense>
      )}
      {edited === undefined && <PassageNote passages={step.passages} />}
      {edited !== undefined && (
        <p className="text-xs text-accent wrap-anywhere">Edited: {JSON.stringify(parseJson(edited)).slice(0, 300)}</p>
      )}
    </>
  );
}

function slotLabel({ from, max_length }: PlanSlot, steps: readonly ShownStep[]): string {
  if (from === undefined) return `written by the model, at most ${(max_length ?? 0).toLocaleString()} characters`;
  return `from step ${steps.findIndex(({ id }) => id === from.step_id) + 1}`;
}

/** The arguments that neither the summary nor a preview shows. */
function Literals({ step }: { step: ShownStep }) {
  const literals = literalsOf(step);
  if (literals.length === 0) return null;
  return (
    <dl className="flex flex-col gap-0.5 text-xs">
      {literals.map(({ name, text }) => (
        <div key={name} className="flex flex-wrap gap-x-1.5">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">
            {text.length <= 160 ? (
              text
            ) : (
              <ScrollBox label={name} className="max-h-32 px-2 py-1 whitespace-pre-wrap">
                {text}
              </ScrollBox>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Links a finished step to the object it created or changed. */
export function ResultLink({ call: { name, result } }: { call: ToolCard }) {
  const record = isRecord(result) ? result : {};
  const id = (key: string): string | undefined => (typeof record[key] === 'string' ? record[key] : undefined);
  const [schemaId, promptId, revision] = [id('schema_id'), id('prompt_id'), id('prompt_revid')];
  if (name === 'run_extraction') {
    return (
      <Link
        from="/documents/$documentId"
        search={(present) => ({ ...present, tab: 'extraction' as const, ...(revision && { prompt: revision }) })}
        className={linkLook}
      >
        See the values
      </Link>
    );
  }
  if (record['deleted'] === true) return null;
  if (promptId !== undefined) {
    return (
      <Link to="/prompts/$promptId" params={{ promptId }} className={linkLook}>
        Open the prompt
      </Link>
    );
  }
  if (schemaId === undefined) return null;
  return (
    <Link to="/schemas/$schemaId" params={{ schemaId }} className={linkLook}>
      Open the schema
    </Link>
  );
}

const linkLook = `${textLinkClass} self-start text-xs`;
