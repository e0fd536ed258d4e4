import { useQuery } from '@tanstack/react-query';
import { pluginsQuery } from '../../../shared/api/sources-api.ts';
import { formatSize } from '../../../shared/formats/format-document.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { BoardSection } from './board-section.tsx';
import { languageLabel, readAnalysis, type SourceAnalysis } from '../state/read-findings.ts';
import { counted } from '../../../shared/formats/counted.ts';

const maxIssues = 5;

/** Shows the analyzer's counts of the source. */
export function SourceAnalysisView({ found }: { found: Record<string, unknown> }) {
  const analysis = readAnalysis(found);
  const { totalFiles, totalPages, totalBytes, sampledFiles, kinds, languages, documentTypes } = analysis;
  const note = [
    counted(totalFiles, 'file'),
    counted(totalPages, 'page'),
    formatSize(totalBytes),
    `${sampledFiles.toLocaleString()} in the sample`,
  ].join(' · ');
  return (
    <BoardSection title="What is in the source" note={note}>
      <div className="grid gap-x-8 gap-y-4 @xl:grid-cols-2">
        <Bars title="Files by type" rows={kinds.map(({ extension, files }) => ({ name: extension, count: files }))} />
        <Bars
          title="Languages of the sample"
          rows={languages.map(({ name, count: files }) => ({ name: languageLabel(name), count: files }))}
        />
        <Bars title="Kinds of documents" rows={documentTypes} />
        <Recommendations recommendations={analysis.recommendations} />
        <Issues issues={analysis.qualityIssues} />
      </div>
    </BoardSection>
  );
}

const maxRows = 8;

/** Counts with bars. */
function Bars({ title, rows }: { title: string; rows: { name: string; count: number }[] }) {
  if (rows.length === 0) return null;
  const largest = Math.max(...rows.map((row) => row.count), 1);
  return (
    <div className="min-w-0">
      <h3 className="text-xs font-medium text-ink-faint">{title}</h3>
      <ul className="mt-1 flex flex-col gap-0.5 text-sm">
        {rows.slice(0, maxRows).map((row, at) => (
          <li key={at} className="grid grid-cols-[minmax(4rem,2fr)_3fr_3rem] items-center gap-2">
            <span className="line-clamp-2 min-w-0 wrap-anywhere" title={row.name}>
              {row.name}
            </span>
            <span aria-hidden className="h-1.5 rounded-full bg-sunken">
              <span
                className="block h-full rounded-full bg-accent"
                style={{ width: `${(100 * row.count) / largest}%` }}
              />
            </span>
            <span className="text-right text-xs text-ink-soft tabular-nums">{row.count.toLocaleString()}</span>
          </li>
        ))}
      </ul>
      {rows.length > maxRows && <p className="text-xs text-ink-faint">and {rows.length - maxRows} more</p>}
    </div>
  );
}

function Recommendations({ recommendations }: Pick<SourceAnalysis, 'recommendations'>) {
  const { orgId } = useSession();
  const plugins = useQuery(pluginsQuery(orgId)).data?.plugins ?? [];
  if (recommendations.length === 0) return null;
  const nameOf = (id: string) => plugins.find((plugin) => plugin.id === id)?.name ?? id;
  return (
    <div className="min-w-0">
      <h3 className="text-xs font-medium text-ink-faint">Which parser reads them</h3>
      <ul className="mt-1 flex flex-col gap-1 text-sm">
        {recommendations.map(({ extension, pluginId, confidence, reason }, at) => (
          <li key={at} className="min-w-0">
            <div className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-mono text-xs">{extension}</span>
              <span className="min-w-0 flex-1 wrap-anywhere">{nameOf(pluginId)}</span>
              <span className={`text-xs tabular-nums ${confidence < 0.7 ? 'text-warn' : 'text-ink-soft'}`}>
                {Math.round(confidence * 100)} % sure
              </span>
            </div>
            {reason !== '' && <p className="text-xs text-ink-faint wrap-anywhere">{reason}</p>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Issues({ issues }: { issues: string[] }) {
  if (issues.length === 0) return null;
  const line = (issue: string, at: number) => (
    <li key={at} className="wrap-anywhere">
      {issue}
    </li>
  );
  return (
    <div className="min-w-0 @xl:col-span-2">
      <h3 className="text-xs font-medium text-ink-faint">Possible problems</h3>
      <ul className="mt-1 list-disc pl-5 text-sm">{issues.slice(0, maxIssues).map(line)}</ul>
      {issues.length > maxIssues && (
        <details className="text-sm">
          <summary className="cursor-pointer rounded-sm text-xs text-ink-soft hover:text-ink">
            {issues.length - maxIssues} more
          </summary>
          <ul className="list-disc pl-5">{issues.slice(maxIssues).map(line)}</ul>
        </details>
      )}
    </div>
  );
}
