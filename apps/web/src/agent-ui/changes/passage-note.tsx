import type { Passage } from '@docwright/contract';
import { ScanText } from 'lucide-react';

const places = {
  page: 'page',
  file_name: 'file name',
  metadata: 'metadata',
  extraction: 'extracted values',
  tool_result: 'what a tool read',
};

/** That what a call says was read in a document, with the words there. */
export function PassageNote({ passages = [] }: { passages?: readonly Passage[] | undefined }) {
  const shown = passages
    .filter(({ quote }, at) => passages.findIndex((each) => each.quote === quote) === at)
    .slice(0, 5);
  if (shown.length === 0) return null;
  return (
    <ul className="flex flex-col gap-0.5 text-xs text-ink-soft">
      {shown.map(({ path, quote, text, found_in, page_num }) => (
        <li key={`${path} ${quote}`} className="flex items-start gap-1.5 wrap-anywhere" title={text}>
          <ScanText aria-hidden className="mt-0.5 size-3.5 shrink-0 text-mark-edge" />
          <span>
            Read in the document ({page_num === undefined ? places[found_in] : `page ${page_num}`}):{' '}
            <mark className="rounded-xs bg-mark px-0.5 text-ink">{quote}</mark>
          </span>
        </li>
      ))}
    </ul>
  );
}
