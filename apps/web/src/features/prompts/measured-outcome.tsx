import type { Evaluation, EvaluationField } from '@docwright/contract';
import { FlaskConical, TriangleAlert } from 'lucide-react';
import { effectLabel, evidenceTone, shareOf } from '../../shared/evaluation/evidence-labels.ts';
import {
  Differences,
  EvidenceLine,
  MeasuredRelease,
  evidenceLooks,
  Unmeasured,
} from '../../shared/evaluation/measured-parts.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';
import { fieldLabel } from '../../shared/values/review-labels.ts';

/** The summary line of the approval card, with the differences and the effect on each field. */
export function MeasuredOutcome({ evaluation, isStale }: { evaluation: Evaluation; isStale: boolean }) {
  const { orgId } = useSession();
  const label = effectLabel(evaluation);
  return (
    <>
      <output>
        <EvidenceLine className={`font-medium ${evidenceLooks[isStale ? 'warn' : evidenceTone(evaluation)]}`}>
          {isStale ? (
            <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" />
          ) : (
            <FlaskConical aria-hidden className="size-4 shrink-0" />
          )}
          <span className="wrap-anywhere">
            {isStale ? (
              <>
                <s className="font-normal text-ink-soft">{label}</s> Out of date: the change is no longer the one that
                was measured.
              </>
            ) : (
              label
            )}
          </span>
        </EvidenceLine>
      </output>
      <Unmeasured evaluation={evaluation} />
      <MeasuredRelease evaluation={evaluation} />
      {evaluation.documents.done > 0 && (
        <>
          <PageSection title="Differences" className="gap-2">
            <Differences orgId={orgId} evaluation={evaluation} />
          </PageSection>
          <PageSection title="By field" className="gap-2">
            <FieldTable fields={evaluation.fields} />
          </PageSection>
        </>
      )}
    </>
  );
}

function FieldTable({ fields }: { fields: EvaluationField[] }) {
  return (
    <ScrollBox label="Effect by field" className="max-h-96 bg-surface">
      <table
        aria-label="Effect by field"
        className="w-full text-sm tabular-nums [&_td]:px-2 [&_td]:py-1.5 [&_td+td]:text-right [&_th]:px-2 [&_th]:py-1.5 [&_th+th]:text-right"
      >
        <thead className="text-left text-xs text-ink-faint [&_th]:font-medium">
          <tr>
            <th>Field</th>
            <th>Values</th>
            <th>Before</th>
            <th>After</th>
            <th>Fixed</th>
            <th>Broken</th>
          </tr>
        </thead>
        <tbody className="[&_td]:border-t [&_td]:border-line">
          {fields.map(({ field, values, accuracy_before, accuracy_after, fixed, broken }) => (
            <tr key={field}>
              <td className="wrap-anywhere">{fieldLabel(field)}</td>
              <td>{values}</td>
              <td>{shareOf(accuracy_before)}</td>
              <td>{shareOf(accuracy_after)}</td>
              <td className={fixed > 0 ? 'text-good' : 'text-ink-faint'}>{fixed}</td>
              <td className={broken > 0 ? 'text-bad' : 'text-ink-faint'}>{broken}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
