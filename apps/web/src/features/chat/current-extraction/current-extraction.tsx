import type { Extraction } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, TableProperties } from 'lucide-react';
import { useState } from 'react';
import { extractionsQuery } from '../../../shared/api/extractions-api.ts';
import { promptQuery } from '../../../shared/api/library-api.ts';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { fieldsOf, resultTree, filledFields } from '../../../shared/values/result-tree.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useStoredValue } from '../../../shared/ui/browser/stored-value.ts';
import { formatMoment } from '../../../shared/formats/format-document.ts';
import { NameInReview } from '../../../shared/labels/review-mark.tsx';
import { changedPaths } from './changed-values.ts';
import { ExtractionValues } from './extraction-values.tsx';

interface CurrentExtractionProps {
  place: ChatPlace;
  /** Opens the extraction of this prompt, so that the page shows its marks. */
  onShow: (promptRevid: string) => void;
}

/** The latest extraction in one line, expandable to its values. */
export function CurrentExtraction({ place, onShow }: CurrentExtractionProps) {
  const { orgId, documentId } = place;
  const extractions = useQuery(extractionsQuery(orgId, documentId)).data?.extractions;
  const extraction = extractions?.[0];
  const prompt = useQuery({ ...promptQuery(orgId, extraction?.prompt_revid ?? ''), enabled: extraction !== undefined });
  const [stored, setStored] = useStoredValue('docwright.chat-extraction');
  const changed = useChanged(extraction);
  if (!extraction) return null;
  const open = stored === 'open';
  const nodes = resultTree(extraction.result, undefined);
  const fields = fieldsOf(nodes);
  const filled = filledFields(fields).length;
  return (
    <section aria-label="Current extraction" className="flex min-h-8 flex-col border-b border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setStored(open ? null : 'open')}
        className="flex min-h-8 w-full shrink-0 items-center gap-2 px-4 text-left text-sm hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={classNames('size-3.5 shrink-0 text-ink-faint transition-transform', open && 'rotate-90')}
        />
        <TableProperties aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
        <NameInReview of={prompt.data}>
          {prompt.data?.name ?? 'Extraction'}
          {extractions !== undefined && extractions.length > 1 && ` · ${formatMoment(extraction.created_at)}`}
        </NameInReview>
        <output className="ml-auto shrink-0 text-xs text-ink-faint tabular-nums">
          {changed.size > 0 && <span className="font-medium text-accent">{changed.size} changed · </span>}
          {filled} of {fields.length} values
          {!extraction.is_complete && <span className="font-medium text-warn"> · incomplete</span>}
          {extraction.is_verified && ' · verified'}
        </output>
      </button>
      {open && (
        <div className="max-h-[min(16rem,32vh)] min-h-0 overflow-y-auto border-t border-line bg-surface px-4 py-1.5">
          <ExtractionValues
            nodes={nodes}
            grounding={extraction.grounding}
            changed={changed}
            onShow={() => onShow(extraction.prompt_revid)}
          />
        </div>
      )}
    </section>
  );
}

/** Paths of the values that the latest change has changed, since the conversation was opened. */
function useChanged(extraction: Extraction | undefined): ReadonlySet<string> {
  const [seen, setSeen] = useState<{ extraction: Extraction | undefined; changed: ReadonlySet<string> }>({
    extraction,
    changed: new Set(),
  });
  if (extraction && extraction !== seen.extraction) {
    const changed = changedPaths(seen.extraction, extraction);
    setSeen({ extraction, changed: changed.size > 0 ? changed : seen.changed });
  }
  return seen.changed;
}
