import type { Passage } from '@docwright/contract';
import { ScanText } from 'lucide-react';

const placeLabels = {
  page: 'page',
  file_name: 'file name',
  metadata: 'metadata',
  extraction: 'extracted values',
  tool_result: 'what a tool read',
};

/** Quotes the passages of a document that a call's arguments come from. */
export function PassageNote({ passages = [] }: { passages?: readonly Passage[] | undefined }) {
  const unique = passages
    .filter(({ quote }, index) => passages.findIndex((other) => other.quote === quote) === index)
    .slice(0, 5);
  if (unique.length === 0) return null;
  return (
    <ul className="flex flex-col gap-0.5 text-xs text-ink-soft">
      {unique.map(({ path, quote, text, found_in, page_num }) => (
        <li key={`${path} ${quote}`} className="flex items-start gap-1.5 wrap-anywhere" title={text}>
          <ScanText aria-hidden className="mt-0.5 size-3.5 shrink-0 text-mark-edge" />
          <span>
            Read in the document ({page_num === undefined ? placeLabels[found_in] : `page ${page_num}`}):{' '}
            <mark className="rounded-xs bg-mark px-0.5 text-ink">{quote}</mark>
          </span>
        </li>
      ))}
    </ul>
  );
}
