import type { AccuracyFigures, PromptAccuracy } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { BadgeCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { accuracyQuery } from '../../shared/api/evaluations-api.ts';
import { promptVersionsQuery } from '../../shared/api/prompts-api.ts';
import { shareOf } from '../../shared/evaluation/evidence-labels.ts';
import { formatMonth } from '../../shared/formats/locale.ts';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { Page, panelClass, BackLink } from '../../shared/page/page.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { AccuracyChart } from './accuracy-chart.tsx';
import { PromptLinks } from './prompt-links.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';
import { fieldLabel } from '../../shared/values/review-labels.ts';

const route = getRouteApi('/prompts/$promptId/accuracy');

/** Shows how accurate a prompt's answers were before users corrected them. */
export function AccuracyPage() {
  const { promptId } = route.useParams();
  const { orgId } = useSession();
  const versions = useQuery(promptVersionsQuery(orgId, promptId));
  const accuracy = useQuery(accuracyQuery(orgId, promptId));
  const [prompt] = versions.data?.prompts ?? [];
  if (prompt === undefined || accuracy.data === undefined) {
    const retry = () => void Promise.all([versions.refetch(), accuracy.refetch()]);
    return (
      <LoadingPage
        title="Accuracy"
        back={<BackLink to="/prompts">Prompts</BackLink>}
        error={versions.error ?? accuracy.error}
        retry={retry}
      />
    );
  }
  return (
    <Page
      title={prompt.name}
      back={<BackLink to="/prompts">Prompts</BackLink>}
      note="The models’ answers compared with verified results."
    >
      <PromptLinks promptId={promptId} />
      {accuracy.data.is_partial && (
        <output className="text-xs text-ink-soft">More results will follow in a moment.</output>
      )}
      {accuracy.data.overall.documents_verified === 0 ? (
        <NothingVerified />
      ) : (
        <Figures promptId={promptId} accuracy={accuracy.data} />
      )}
    </Page>
  );
}

/** Explains how to get a measurement. */
export function NothingVerified() {
  return (
    <EmptyState
      icon={BadgeCheck}
      title="Nothing verified yet"
      actions={
        <Link to="/" className={linkButtonClass('primary')}>
          Go to the documents
        </Link>
      }
    >
      Open a document, check the values that this prompt extracted, and choose “Verify”. From then on the result counts
      as right, and the prompt is measured against it.
    </EmptyState>
  );
}

const countsOf = (figures: AccuracyFigures, valuesOnly = false) => ({
  documents: figures.documents_verified,
  values: `${figures.correct} of ${figures.values}`,
  accuracy: shareOf(figures.accuracy),
  untouched: valuesOnly ? undefined : figures.untouched,
});

function Figures({ promptId, accuracy }: { promptId: string; accuracy: PromptAccuracy }) {
  const { overall, by_revision, by_field, by_model, by_month } = accuracy;
  const points = by_revision.flatMap(({ version, accuracy: share, documents_verified: documents }) =>
    share === null ? [] : [{ version, accuracy: share, documents }],
  );
  return (
    <>
      <dl className={`${panelClass} flex flex-wrap gap-x-8 gap-y-3 p-3 [&_dd]:text-lg [&_dd]:font-semibold`}>
        <Sum label="Accuracy">{shareOf(overall.accuracy)}</Sum>
        <Sum label="Values right">
          {overall.correct} of {overall.values}
        </Sum>
        {overall.unseen > 0 && <Sum label="Verified unseen, not counted">{overall.unseen}</Sum>}
        <Sum label="Documents verified">{overall.documents_verified}</Sum>
        <Sum label="Without any correction">{overall.untouched}</Sum>
      </dl>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <PageSection title="By version" className="gap-2">
          <ScrollBox label="Chart by version" className="max-h-none bg-surface p-3">
            <AccuracyChart points={points} />
          </ScrollBox>
          <FigureTable
            label="Accuracy by version"
            of="Version"
            rows={by_revision.map((each) => ({
              key: each.prompt_revid,
              name: (
                <Link
                  to="/prompts/$promptId"
                  params={{ promptId }}
                  search={{ version: each.version }}
                  className={textLinkClass}
                >
                  Version {each.version}
                </Link>
              ),
              ...countsOf(each),
            }))}
          />
        </PageSection>
        <PageSection title="By field" className="gap-2">
          <FigureTable
            label="Accuracy by field"
            of="Field"
            rows={by_field.map((each) => ({ key: each.field, name: fieldLabel(each.field), ...countsOf(each) }))}
          />
        </PageSection>
        <PageSection title="By model" className="gap-2">
          <FigureTable
            label="Accuracy by model"
            of="Model"
            rows={by_model.map((each) => ({ key: each.model, name: each.model, ...countsOf(each) }))}
          />
        </PageSection>
        <PageSection title="By month" className="gap-2">
          <FigureTable
            label="Accuracy by month"
            of="Month"
            rows={by_month.map((each) => ({ key: each.month, name: formatMonth(each.month), ...countsOf(each) }))}
          />
        </PageSection>
      </div>
    </>
  );
}

function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-soft">{label}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

interface FigureRow {
  key: string;
  name: ReactNode;
  documents: number;
  values: string;
  accuracy: string;
  untouched: number | undefined;
}

function FigureTable({ label, of, rows }: { label: string; of: string; rows: FigureRow[] }) {
  return (
    <ScrollBox label={label} className="max-h-96 bg-surface">
      <table aria-label={label} className="w-full text-sm [&_td]:px-2 [&_td]:py-1.5 [&_th]:px-2 [&_th]:py-1.5">
        <thead className="text-xs text-ink-faint [&_th]:font-medium">
          <tr>
            <th className="text-left">{of}</th>
            <th className="text-right">Documents</th>
            <th className="text-right">Values right</th>
            <th className="text-right">Untouched</th>
            <th className="text-right">Accuracy</th>
          </tr>
        </thead>
        <tbody className="[&_td]:border-t [&_td]:border-line">
          {rows.map(({ key, name, documents, values, accuracy, untouched }) => (
            <tr key={key}>
              <td className="min-w-20 wrap-anywhere">{name}</td>
              <td className="text-right tabular-nums">{documents}</td>
              <td className="text-right tabular-nums whitespace-nowrap">{values}</td>
              <td className="text-right tabular-nums">{untouched}</td>
              <td className="text-right font-medium tabular-nums">{accuracy}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
