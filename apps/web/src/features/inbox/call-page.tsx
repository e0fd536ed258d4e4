import type { Approval, Extraction } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { documentQuery } from '../../shared/api/documents-api.ts';
import { extractionsQuery } from '../../shared/api/extractions-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { FieldFocusContext, type FieldFocus, type FieldSelection } from '../../shared/values/field-focus.tsx';
import { labelOf } from '../../shared/values/field-shape.ts';
import { CenteredSpinner } from '../../shared/ui/spinner.tsx';

/** Loaded with the first document that is shown. */
const DocumentViewer = lazyPart(async () => ({
  default: (await import('../viewer/document-viewer.tsx')).DocumentViewer,
}));

type Grounding = Extraction['grounding'];

/** Shares the highlighted place between a call's details and its page; at first the place of the change. */
export function CallPlaces({ call, children }: { call: Approval; children: ReactNode }) {
  const first = Object.keys(placesOf(call, []))[0];
  const [selection, setSelection] = useState<FieldSelection | undefined>(
    first === undefined ? undefined : { path: first, ordinal: 1, wantsFocus: false },
  );
  const [hovered, hover] = useState<string>();
  const select = (path: string) =>
    setSelection((last) => ({ path, ordinal: (last?.ordinal ?? 0) + 1, wantsFocus: false }));
  const focus: FieldFocus = { selection, hovered, select, showOnPage: select, follow: select, hover };
  return <FieldFocusContext value={focus}>{children}</FieldFocusContext>;
}

/** The document of a call, with the places of its change highlighted. */
export function CallPage({ call }: { call: Approval }) {
  const { orgId } = useSession();
  const document = useQuery({ ...documentQuery(orgId, call.document_id), enabled: call.document_name !== null }).data;
  const isReplaced = call.preview?.kind === 'replace';
  const extractions = useQuery({ ...extractionsQuery(orgId, call.document_id), enabled: isReplaced }).data?.extractions;
  const grounding = placesOf(call, extractions ?? []);
  if (call.document_name === null) {
    return <p className="p-4 text-sm text-ink-soft">The document is deleted.</p>;
  }
  return (
    <section aria-label="Page" className="flex min-h-0 min-w-0 flex-1 flex-col bg-page-bed">
      <p className="border-b border-line bg-surface px-3 py-1.5 text-xs text-ink-soft">{placeLabel(call, grounding)}</p>
      {document === undefined ? (
        <Loading />
      ) : (
        <Suspense fallback={<Loading />}>
          <DocumentViewer key={document.id} document={document} grounding={grounding} />
        </Suspense>
      )}
    </section>
  );
}

function Loading() {
  return <CenteredSpinner label="Loading the document" />;
}

/** The places of the values that the call would change, or of the corrections that it would discard. */
function placesOf({ preview }: Approval, extractions: readonly Extraction[]): Grounding {
  if (preview?.kind === 'field' && preview.page_num !== null) {
    const { path, page_num, boxes = [] } = preview;
    return { [path]: { page_num, quote: null, match: 'exact', boxes } };
  }
  if (preview?.kind !== 'replace') return {};
  const paths = new Set(preview.edited_values.map(({ path }) => path));
  const replaced = extractions.find(({ version }) => version === preview.version);
  return Object.fromEntries(Object.entries(replaced?.grounding ?? {}).filter(([path]) => paths.has(path)));
}

function placeLabel({ preview }: Approval, grounding: Grounding): string {
  const [place] = Object.entries(grounding);
  if (place === undefined) {
    return preview?.kind === 'field' ? 'The value is not on the page.' : 'This change has no place on a page.';
  }
  const [path, { page_num }] = place;
  const count = Object.keys(grounding).length;
  const what = path.split('.').map(labelOf).join(', ');
  const page = page_num === null ? '' : `Page ${page_num} · `;
  return count === 1
    ? `${page}${what}`
    : `${page}${what} and ${count - 1} more edited ${count === 2 ? 'value' : 'values'}`;
}
