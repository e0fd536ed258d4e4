import type { Pipeline } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Database, ListChecks, ScanText, Scissors, Waypoints, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { pluginsQuery } from '../../../shared/api/sources-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import './pipeline.css';
import { PipelineDetails } from './pipeline-details.tsx';
import {
  extensionLabel,
  pipelineSteps,
  stepSentence,
  type PipelineStep,
  type StepKind,
} from '../state/pipeline-steps.ts';

const icons: Record<StepKind, LucideIcon> = {
  parse: ScanText,
  extract: ListChecks,
  chunk: Scissors,
  embed: Waypoints,
  index: Database,
};

/** More parsers are listed in the details. */
const maxParsers = 7;

interface PipelineDiagramProps {
  pipeline: Pipeline;
  /** The pipeline to compare with; undefined for none. */
  before?: Pipeline | null | undefined;
}

/** The steps of a pipeline in a row, each with details on demand; a list for screen readers. */
export function PipelineDiagram({ pipeline, before }: PipelineDiagramProps) {
  const { orgId } = useSession();
  const plugins = useQuery(pluginsQuery(orgId)).data?.plugins ?? [];
  const [opened, setOpened] = useState<StepKind>();
  const steps = pipelineSteps(pipeline, before, plugins);
  const shown = steps.find(({ kind }) => kind === opened);
  return (
    <div className="@container flex flex-col gap-3">
      <ol aria-label="Steps of the pipeline" className="flex flex-col @2xl:flex-row">
        {steps.map((step, at) => (
          <li
            key={step.kind}
            className={classNames(
              'flex min-w-0 flex-col items-stretch @2xl:flex-row',
              step.kind === 'parse' ? '@2xl:flex-[2.4]' : '@2xl:flex-1',
            )}
          >
            {at > 0 && (
              <span aria-hidden className="flex shrink-0 items-center justify-center">
                <ChevronRight className="size-4 rotate-90 text-ink-faint @2xl:rotate-0" />
              </span>
            )}
            <Step
              // A new key for each change restarts the highlight.
              key={step.isChanged ? JSON.stringify(step.parts) : 'same'}
              step={step}
              isOpen={step.kind === opened}
              onOpen={() => setOpened(step.kind === opened ? undefined : step.kind)}
            />
          </li>
        ))}
      </ol>
      <div id="pipeline-details" className="empty:hidden">
        {shown && <PipelineDetails step={shown} />}
      </div>
    </div>
  );
}

function Step({ step, isOpen, onOpen }: { step: PipelineStep; isOpen: boolean; onOpen: () => void }) {
  const { kind, label, parts, note, isChanged } = step;
  const Icon = icons[kind];
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls="pipeline-details"
      onClick={onOpen}
      data-changed={isChanged || undefined}
      className={classNames(
        'flex min-w-0 flex-1 flex-col gap-1.5 rounded-md border px-2.5 py-2 text-left text-sm transition-colors',
        isChanged ? 'pipeline-lit border-accent bg-accent-soft' : 'border-line bg-raised hover:bg-hover',
        parts.length === 0 && 'border-dashed',
        isOpen && 'outline-2 -outline-offset-1 outline-accent',
      )}
    >
      <span className="sr-only">{stepSentence(step)}</span>
      <span aria-hidden className="flex w-full flex-wrap items-center gap-x-1.5 font-medium">
        <Icon
          aria-hidden
          className={classNames('size-4 shrink-0', parts.length > 0 ? 'text-accent' : 'text-ink-faint')}
        />
        {label}
        {isChanged && <span className="ml-auto text-xs font-medium text-accent">changed</span>}
      </span>
      {note !== undefined && <Name name={note} />}
      {kind === 'parse' ? <Parsers step={step} /> : parts.map(({ plugin }) => <Name key={plugin} name={plugin} />)}
    </button>
  );
}

const Name = ({ name }: { name: string }) => (
  <span aria-hidden className="text-xs text-ink-soft wrap-anywhere">
    {name}
  </span>
);

function Parsers({ step: { parts } }: { step: PipelineStep }) {
  const more = parts.length - maxParsers;
  return (
    <span aria-hidden className="flex w-full flex-col gap-1">
      {parts.slice(0, maxParsers).map(({ extensions, plugin, fallback, isChanged }, at) => (
        <span
          key={at}
          className={classNames(
            'grid grid-cols-[minmax(2.5rem,2fr)_3fr] gap-x-2 text-xs',
            isChanged && 'rounded-sm bg-surface px-1 -mx-1',
          )}
        >
          <span className="line-clamp-3 font-mono text-ink wrap-anywhere">{extensionLabel(extensions)}</span>
          <span className="text-ink-soft wrap-anywhere">
            {plugin}
            {fallback !== undefined && <span className="block">else {fallback}</span>}
          </span>
        </span>
      ))}
      {more > 0 && <span className="text-xs text-ink-soft">and {more} more</span>}
    </span>
  );
}
