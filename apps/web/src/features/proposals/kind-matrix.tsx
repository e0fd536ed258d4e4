import type { Proposal, ProposedDocument } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { formatAmount, formatDay, formatNumber, isAmount } from '../../shared/formats/locale.ts';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { classNames } from '../../shared/ui/class-names.ts';

interface KindMatrixProps {
  proposal: Proposal;
  /** Ids of the documents that a decision is for. */
  chosen: ReadonlySet<string>;
  canChoose: boolean;
  onChoose: (documentIds: string[], isChosen: boolean) => void;
}

/** The documents of a kind and what was found on each: values, so that a wrong column is seen. */
export function KindMatrix({ proposal, chosen, canChoose, onChoose }: KindMatrixProps) {
  const { documents, fields, name } = proposal;
  const ids = documents.map(({ document_id }) => document_id);
  const isNumeric = (path: string) => documents.some(({ values }) => typeof values?.[path] === 'number');
  return (
    <ScrollBox label={`Documents and fields of ${name}`} className="max-h-[70vh] rounded-none border-0">
      <table className="w-full border-collapse text-sm tabular-nums">
        <thead className="sticky top-0 z-10 bg-surface">
          <tr className="[&>th]:border-b [&>th]:border-line [&>th]:px-2 [&>th]:py-1.5 [&>th]:text-xs [&>th]:font-normal [&>th]:whitespace-nowrap [&>th]:text-ink-faint">
            {canChoose && (
              <th scope="col" className="w-8">
                <input
                  type="checkbox"
                  aria-label="Choose all documents"
                  className="size-4 accent-accent"
                  checked={chosen.size === ids.length}
                  onChange={(event) => onChoose(ids, event.target.checked)}
                />
              </th>
            )}
            <th scope="col" className="sticky left-0 bg-surface text-left">
              Document
            </th>
            {fields.map(({ path, title, found_in }) => (
              <th key={path} scope="col" className={isNumeric(path) ? 'text-right' : 'text-left'}>
                <span className="block max-w-40 truncate" title={title}>
                  {title}
                </span>
                <span className={found_in === documents.length ? 'text-good' : 'text-warn'}>
                  {found_in} of {documents.length}
                </span>
              </th>
            ))}
            <th scope="col" className="text-right">
              Found
            </th>
          </tr>
        </thead>
        <tbody className="[&>tr:last-child>*]:border-b-0">
          {documents.map((document) => (
            <Row
              key={document.document_id}
              document={document}
              proposal={proposal}
              isChosen={chosen.has(document.document_id)}
              canChoose={canChoose}
              isNumeric={isNumeric}
              onChoose={(isChosen) => onChoose([document.document_id], isChosen)}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

interface RowProps {
  document: ProposedDocument;
  proposal: Proposal;
  isChosen: boolean;
  canChoose: boolean;
  isNumeric: (path: string) => boolean;
  onChoose: (isChosen: boolean) => void;
}

function Row({ document, proposal, isChosen, canChoose, isNumeric, onChoose }: RowProps) {
  const { document_id, document_name, found, of, values = {} } = document;
  return (
    <tr className="hover:bg-hover [&>*]:border-b [&>*]:border-line [&>*]:px-2 [&>*]:py-1 [&>*]:whitespace-nowrap">
      {canChoose && (
        <td>
          <input
            type="checkbox"
            aria-label={`Choose ${document_name}`}
            className="block size-4 accent-accent"
            checked={isChosen}
            onChange={(event) => onChoose(event.target.checked)}
          />
        </td>
      )}
      <th scope="row" className="sticky left-0 max-w-56 truncate bg-surface text-left font-normal">
        <Link
          to="/documents/$documentId"
          params={{ documentId: document_id }}
          search={{ prompt: proposal.prompt_revid }}
          className="rounded-sm underline-offset-2 hover:underline"
          title={document_name}
        >
          {document_name}
        </Link>
      </th>
      {proposal.fields.map(({ path }) => (
        <td key={path} className={classNames('max-w-56 truncate', isNumeric(path) && 'text-right')}>
          {values[path] === undefined ? <NotFound /> : shown(path, values[path])}
        </td>
      ))}
      <td className={classNames('text-right', found < of ? 'text-warn' : 'text-ink-faint')}>
        {found}/{of}
      </td>
    </tr>
  );
}

function NotFound() {
  return (
    <span className="text-ink-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">not found</span>
    </span>
  );
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/u;

function shown(path: string, value: string | number | boolean): string {
  if (typeof value === 'number') return isAmount(path) ? formatAmount(value) : formatNumber(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return isoDay.test(value) ? formatDay(value) : value;
}
