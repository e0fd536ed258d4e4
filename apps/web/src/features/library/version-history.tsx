import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import type { VersionSearch } from '../../shared/addresses/library-search.ts';
import { Written } from '../../shared/labels/written.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';

const TextDifference = lazyPart(async () => ({
  default: (await import('../../shared/difference/text-difference.tsx')).TextDifference,
}));

/** A revision as the history shows it. */
interface Version {
  version: number;
  created_at: string;
  created_by: string;
  /** The text to compare. */
  text: string;
}

interface VersionHistoryProps {
  /** The newest first; never empty. */
  versions: Version[];
  /** The number of all versions, including those that are not listed. */
  total: number;
  shown: number;
  compare: number | undefined;
  onSearch: (search: VersionSearch) => void;
  /** Renders the difference of two versions; by default the texts are compared line by line. */
  renderDifference?: (before: number, after: number) => ReactNode;
}

/** The versions of a schema or prompt, and the difference between any two. */
export function VersionHistory({ versions, total, shown, compare, onSearch, renderDifference }: VersionHistoryProps) {
  const other = compare === shown ? undefined : versions.find(({ version }) => version === compare);
  return (
    <PageSection title="Versions">
      {other && (
        <Difference
          versions={versions}
          shown={shown}
          compare={other.version}
          onSearch={onSearch}
          renderDifference={renderDifference}
        />
      )}
      <ol className={classNames(panelClass, 'max-h-96 overflow-auto')}>
        {versions.map(({ version, created_at, created_by }) => (
          <li
            key={version}
            className={classNames(
              'flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 text-sm last:border-b-0',
              version === shown && 'bg-accent-soft',
            )}
          >
            <span className="min-w-0">
              <span className="font-medium">Version {version}</span>
              {version === versions[0]?.version && <span className="text-ink-soft"> · current</span>}
              <span className="block text-xs text-ink-soft">
                <Written at={created_at} by={created_by} />
              </span>
            </span>
            {version === shown ? (
              <span className="text-xs font-medium">Shown</span>
            ) : (
              <span className="flex gap-1">
                <Button
                  size="small"
                  look="quiet"
                  aria-label={`Show version ${version}`}
                  onClick={() => onSearch({ version })}
                >
                  Show
                </Button>
                <Button
                  size="small"
                  aria-label={`Compare version ${version} with version ${shown}`}
                  onClick={() => onSearch({ version: shown, compare: version })}
                >
                  Compare
                </Button>
              </span>
            )}
          </li>
        ))}
      </ol>
      {total > versions.length && (
        <p className="text-xs text-ink-faint">
          The newest {versions.length} of {total}.
        </p>
      )}
    </PageSection>
  );
}

interface DifferenceProps {
  versions: Version[];
  shown: number;
  compare: number;
  onSearch: (search: VersionSearch) => void;
  renderDifference: VersionHistoryProps['renderDifference'];
}

function Difference({ versions, shown, compare, onSearch, renderDifference }: DifferenceProps) {
  const from = Math.min(shown, compare);
  const to = Math.max(shown, compare);
  const textOf = (number: number) => versions.find(({ version }) => version === number)?.text ?? '';
  const options = (without: number) =>
    versions
      .filter(({ version }) => version !== without)
      .map(({ version }) => ({ value: String(version), label: `Version ${version}` }));
  const [before, after] = [textOf(from), textOf(to)];
  return (
    <div className={classNames(panelClass, 'flex flex-col gap-3 p-3')}>
      <div className="flex flex-wrap items-end gap-2">
        <SelectField
          label="From"
          className="w-28"
          value={from}
          options={options(to)}
          onChange={(value) => onSearch({ version: to, compare: Number(value) })}
        />
        <SelectField
          label="To"
          className="w-28"
          value={to}
          options={options(from)}
          onChange={(value) => onSearch({ version: Number(value), compare: from })}
        />
        <Button look="quiet" className="ml-auto" onClick={() => onSearch({ version: shown })}>
          Close
        </Button>
      </div>
      {before === after ? (
        <p className="text-sm text-ink-soft">These versions are the same.</p>
      ) : (
        <Suspense fallback={<Skeleton className="h-40" />}>
          {renderDifference ? renderDifference(from, to) : <TextDifference before={before} after={after} />}
        </Suspense>
      )}
    </div>
  );
}
