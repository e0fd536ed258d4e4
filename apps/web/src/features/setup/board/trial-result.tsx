import { formatNumber } from '../../../shared/formats/locale.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pluginsQuery } from '../../../shared/api/sources-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { StateMark } from '../../../shared/labels/state-mark.tsx';
import type { Tone } from '../../../shared/formats/run-labels.ts';
import { BoardSection } from './board-section.tsx';
import { differenceLabels } from '../state/pipeline-steps.ts';
import type { TrialOfPipeline } from '../state/setup-entries.ts';
import { readTrial, type Trial } from '../state/read-findings.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { labelOfName } from '../../../shared/formats/capitalize.ts';
import { textLinkClass } from '../../../shared/ui/text-link.ts';

const assessmentLabels: Record<NonNullable<Trial['assessment']>, { label: string; tone: Tone }> = {
  ready: { label: 'Ready to apply', tone: 'good' },
  needs_adjustment: { label: 'Adjust first', tone: 'warn' },
  blocking_issues: { label: 'Cannot be applied yet', tone: 'bad' },
};

/** What the trial had said of a pipeline that was applied. */
const appliedLabels: typeof assessmentLabels = {
  ready: { label: 'No issues', tone: 'good' },
  needs_adjustment: { label: 'Applied without the adjustments', tone: 'warn' },
  blocking_issues: { label: 'Applied with open issues', tone: 'warn' },
};

/** Shows the result of running the pipeline on a sample. */
export function TrialResult({ found, isOutdated, isApplied }: TrialOfPipeline & { isApplied: boolean }) {
  const trial = readTrial(found);
  const { tested, succeeded, failed, withoutText, waiting, assessment, categories } = trial;
  return (
    <BoardSection
      title="The trial"
      note={
        isOutdated
          ? 'For the previous pipeline. The agent has proposed another one since.'
          : 'The pipeline ran on a sample. Nothing was written.'
      }
      actions={
        assessment && !isOutdated && <StateMark {...(isApplied ? appliedLabels : assessmentLabels)[assessment]} />
      }
    >
      <div className="flex flex-col gap-1.5">
        <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
          <Figure name="Tried" value={tested} />
          <Figure name="Succeeded" value={succeeded} />
          <Figure name="Failed" value={failed} look={failed > 0 ? 'text-bad' : ''} />
          {withoutText > 0 && <Figure name="Without text" value={withoutText} look="text-warn" />}
          {waiting > 0 && <Figure name="Still being read" value={waiting} look="text-ink-soft" />}
        </dl>
        {tested > 0 && (
          <div aria-hidden className="flex h-1.5 overflow-hidden rounded-full bg-sunken">
            <div className="bg-good" style={{ width: `${(100 * (succeeded - withoutText)) / tested}%` }} />
            <div className="bg-warn" style={{ width: `${(100 * withoutText) / tested}%` }} />
            <div className="bg-bad" style={{ width: `${(100 * failed) / tested}%` }} />
          </div>
        )}
        {withoutText > 0 && <p className="text-xs text-ink-soft">Files without text are not found by the search.</p>}
      </div>
      {categories.length > 0 && (
        <ul aria-label="Why documents failed" className="flex flex-col divide-y divide-line">
          {categories.map((category) => (
            <Category key={category.category} category={category} />
          ))}
        </ul>
      )}
      <Alternatives trial={trial} />
      <Timings timings={trial.timings} />
    </BoardSection>
  );
}

function Figure({ name, value, look = '' }: { name: string; value: number; look?: string }) {
  return (
    <div className="flex items-baseline gap-1.5">
      <dd className={`order-first text-lg font-semibold tabular-nums ${look}`}>{value.toLocaleString()}</dd>
      <dt className="text-ink-soft">{name.toLowerCase()}</dt>
    </div>
  );
}

function Category({ category: { category, count, fix, examples } }: { category: Trial['categories'][number] }) {
  return (
    <li className="flex flex-col gap-1 py-2 text-sm first:pt-0 last:pb-0">
      <p className="font-medium wrap-anywhere">
        {labelOfName(category)}
        <span className="ml-2 font-normal text-ink-soft tabular-nums">{counted(count, 'document')}</span>
      </p>
      {fix !== '' && <p className="text-ink-soft wrap-anywhere">What helps: {fix}</p>}
      <ul className="flex flex-col gap-0.5 text-xs">
        {examples.map(({ documentId, name, message }) => (
          <li key={documentId} className="text-ink-soft wrap-anywhere">
            <Link to="/documents/$documentId" params={{ documentId }} className={`${textLinkClass} font-medium`}>
              {name === '' ? 'A document' : name}
            </Link>
            {message !== '' && ` ${message}`}
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Results of other pipelines on some of the same documents. */
function Alternatives({ trial: { pipeline, alternatives } }: { trial: Trial }) {
  const { orgId } = useSession();
  const plugins = useQuery(pluginsQuery(orgId)).data?.plugins ?? [];
  if (pipeline === undefined || alternatives.length === 0) return null;
  return (
    <div>
      <h3 className="text-xs font-medium text-ink-faint">Alternatives, tried on some of them</h3>
      <ul className="mt-1 flex flex-col divide-y divide-line">
        {alternatives.map((other, at) => (
          <li key={at} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1 text-sm">
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
              {differenceLabels(other.pipeline, pipeline, plugins).join(' · ') || 'Duplicate'}
            </span>
            <span className={`text-xs tabular-nums ${lookOf(other)}`}>
              {other.tested - other.failed} of {other.tested} succeeded, {other.tested - other.failedBefore} before
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const lookOf = ({ failed, failedBefore }: Trial['alternatives'][number]) =>
  failed < failedBefore ? 'text-good' : failed > failedBefore ? 'text-bad' : 'text-ink-soft';

const duration = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${formatNumber(Math.round(ms / 100) / 10)} s`);

function Timings({ timings }: Pick<Trial, 'timings'>) {
  if (timings.length === 0) return null;
  return (
    <details className="text-xs text-ink-soft">
      <summary className="cursor-pointer rounded-sm hover:text-ink">How long each step took</summary>
      <dl className="mt-1 grid grid-cols-[auto_auto_auto] justify-start gap-x-4 gap-y-0.5 tabular-nums">
        {timings.map(({ stage, total, slowest }) => (
          <div key={stage} className="contents">
            <dt>{labelOfName(stage)}</dt>
            <dd>{duration(total)} in all</dd>
            <dd>{duration(slowest)} the slowest</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
