import type { MachineData } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { textLinkClass } from '../../../shared/ui/text-link.ts';

const kinds: Readonly<Record<MachineData['kind'], string>> = {
  invoice_xml: 'Electronic invoice',
  qr_code: 'QR code',
  bar_code: 'Bar code',
  mrz: 'Lines of a travel document',
};

const profiles: Readonly<Record<string, string>> = {
  swiss_qr_bill: 'Swiss QR-bill',
  epc: 'EPC payment',
  plain: 'text',
};

/** A field is shown up to this length; the rest is in the API. */
const maxShown = 300;
const maxFields = 60;

/** What is written in the document for machines: closed at first, since it repeats most of the page. */
export function MachineDataCard({ data, documentId }: { data: readonly MachineData[]; documentId: string }) {
  const hasProblems = data.some((each) => problemsOf(each).length > 0);
  return (
    <details className="min-w-0">
      <summary className="cursor-pointer">
        {hasProblems && <TriangleAlert aria-hidden className="mr-1 inline size-3.5 text-warn" />}
        Written for machines ({data.length})
      </summary>
      <ul className="flex flex-col gap-2 py-1">
        {data.map((each, index) => (
          <li key={index} className="wrap-anywhere">
            <strong className="font-medium text-ink">{titleOf(each)}</strong>
            {each.page_num !== undefined && (
              <>
                {', '}
                <Link
                  to="/documents/$documentId"
                  params={{ documentId }}
                  search={{ page: each.page_num }}
                  className={textLinkClass}
                >
                  page {each.page_num}
                </Link>
              </>
            )}
            {problemsOf(each).map((problem) => (
              <p key={problem} className="text-warn">
                {problem}
              </p>
            ))}
            <dl className="grid grid-cols-[max-content_1fr] gap-x-3">
              {fieldsOf(each.data)
                .slice(0, maxFields)
                .map(([name, value]) => (
                  <div key={name} className="contents">
                    <dt className="text-ink-faint">{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
            </dl>
          </li>
        ))}
      </ul>
    </details>
  );
}

function titleOf({ kind, profile }: MachineData): string {
  if (kind === 'invoice_xml' || profile === undefined) return kinds[kind];
  return `${kinds[kind]} (${profiles[profile] ?? profile.replaceAll('_', '-').toUpperCase()})`;
}

function problemsOf({ data }: MachineData): string[] {
  const { problems } = data;
  return Array.isArray(problems) ? problems.filter((problem) => typeof problem === 'string') : [];
}

/** The values with their names in words. Lists of rows are counted. */
function fieldsOf(data: Record<string, unknown>, prefix = ''): [string, string][] {
  return Object.entries(data).flatMap(([key, value]): [string, string][] => {
    const name = `${prefix}${key.replaceAll('_', ' ')}`;
    if (prefix === '' && key === 'problems') return [];
    if (Array.isArray(value)) {
      const isRows = value.some((item) => typeof item === 'object');
      return [[name, isRows ? String(value.length) : cut(value.join('\n'))]];
    }
    if (typeof value === 'object' && value !== null) return fieldsOf(value as Record<string, unknown>, `${name}: `);
    return [[name, cut(String(value))]];
  });
}

function cut(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
