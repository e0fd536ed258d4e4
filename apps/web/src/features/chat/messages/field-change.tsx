import type { Preview } from '@docwright/contract';
import { ArrowRight, LocateFixed } from 'lucide-react';
import { use } from 'react';
import { FieldFocusContext } from '../../../shared/values/field-focus.tsx';

type FieldPreview = Extract<Preview, { kind: 'field' }>;

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'not given';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** One value that goes and one that comes, with the way to where it stands on the page. */
export function FieldChange({ preview, value }: { preview: FieldPreview | undefined; value: unknown }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      {preview && (
        <>
          <s className="rounded-sm bg-bad-soft px-1.5 py-0.5 wrap-anywhere">{shown(preview.old_value)}</s>
          <ArrowRight aria-label="becomes" className="size-3.5 text-ink-faint" />
        </>
      )}
      <span className="rounded-sm bg-good-soft px-1.5 py-0.5 font-medium wrap-anywhere">{shown(value)}</span>
      {preview && <Place preview={preview} />}
    </p>
  );
}

function Place({ preview: { path, page_num } }: { preview: FieldPreview }) {
  const focus = use(FieldFocusContext);
  if (page_num === null) return <span className="text-xs text-ink-faint">not on the page</span>;
  return (
    <button
      type="button"
      onClick={() => focus?.showOnPage(path)}
      className="inline-flex items-center gap-1 rounded-sm text-xs text-accent underline underline-offset-2"
    >
      <LocateFixed aria-hidden className="size-3.5" /> Show on page {page_num}
    </button>
  );
}
