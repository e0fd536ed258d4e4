import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { documentQuery } from '../../shared/api/documents-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { FieldFocusContext } from '../../shared/values/field-focus.tsx';
import type { ReviewGroup } from './use-review.ts';

const DocumentViewer = lazy(async () => ({
  default: (await import('../viewer/document-viewer.tsx')).DocumentViewer,
}));

interface GroupPagesProps {
  group: ReviewGroup;
  /** The value whose place is lit up. */
  path: string | undefined;
  isShown: boolean;
  onSelect: (path: string) => void;
}

/** The pages of one document. The next one is drawn behind the one that is shown, so that it is there at once. */
export function GroupPages({ group, path, isShown, onSelect }: GroupPagesProps) {
  const { orgId } = useSession();
  const [hovered, hover] = useState<string>();
  const document = useQuery(documentQuery(orgId, group.items[0]?.document_id ?? '')).data;
  const grounding = Object.fromEntries(
    group.items.flatMap(({ path: each, grounding: place }) => (place === null ? [] : [[each, place]])),
  );
  const selection = path === undefined ? undefined : { path, ordinal: 1, wantsFocus: false };
  const focus = { selection, hovered, select: onSelect, showOnPage: onSelect, follow: onSelect, hover };
  return (
    <FieldFocusContext value={focus}>
      <div inert={!isShown} className={classNames('absolute inset-0 flex flex-col', !isShown && 'invisible')}>
        {document === undefined ? (
          <Waiting />
        ) : (
          <Suspense fallback={<Waiting />}>
            <DocumentViewer document={document} grounding={grounding} />
          </Suspense>
        )}
      </div>
    </FieldFocusContext>
  );
}

function Waiting() {
  return (
    <div className="flex flex-1 items-center justify-center text-ink-faint">
      <Spinner label="Loading the document" className="size-5" />
    </div>
  );
}
