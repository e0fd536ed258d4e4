import { pageUnit, type SplitAnswer } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { readAuditPage, undoEntry } from '../../shared/api/audit-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { DocumentIcon } from '../../shared/labels/document-icon.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button, linkButtonClass } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { counted } from '../../shared/formats/counted.ts';
import { focusOnMount } from '../../shared/ui/browser/focus-on-mount.ts';
import { textLinkClass } from '../../shared/ui/text-link.ts';
import { useChange } from '../../shared/page/use-change.ts';

interface SplitResultProps {
  documentId: string;
  result: SplitAnswer;
  /** Goes back to the boundaries after an undo. */
  onUndone: () => void;
}

/** Lists the documents of a split, with Undo. */
export function SplitResult({ documentId, result, onUndone }: SplitResultProps) {
  const { orgId } = useSession();
  const { documents, pages_in_none } = result;
  const undoing = useChange(
    async () => {
      const filter = { tool: 'split_document', document_id: documentId };
      const { entries } = await readAuditPage(orgId, filter, 0, 1);
      const [entry] = entries;
      if (entry === undefined) throw new Error('The audit log has no entry of this split.');
      await undoEntry(orgId, entry.id);
    },
    { refreshes: [['documents', orgId]], onDone: onUndone },
  );
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto flex max-w-2xl flex-col gap-4 p-4 md:p-6">
        <h2 className="text-lg font-semibold" tabIndex={-1} ref={focusOnMount}>
          {documents.length === 1 ? 'One document was made' : `${documents.length} documents were made`}
        </h2>
        <p className="text-sm text-ink-soft">
          The original stays as it is.
          {pages_in_none.length > 0 &&
            ` In no document: ${pages_in_none.length === 1 ? 'page' : 'pages'} ${pages_in_none.join(', ')}.`}
        </p>
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {documents.map(({ id, document_name, mime_type, page_count }) => (
            <li key={id} className="flex items-center gap-2 px-3 py-2">
              <DocumentIcon mimeType={mime_type} />
              <Link
                to="/documents/$documentId"
                params={{ documentId: id }}
                className={`${textLinkClass} min-w-0 flex-1 truncate`}
              >
                {document_name}
              </Link>
              <span className="text-xs text-ink-soft tabular-nums">
                {page_count !== null && counted(page_count, pageUnit(mime_type))}
              </span>
            </li>
          ))}
        </ul>
        {undoing.isError && <Notice tone="bad">{messageOf(undoing.error)}</Notice>}
        <div className="flex flex-wrap gap-2">
          <Link to="/" className={linkButtonClass('primary')}>
            Show the documents
          </Link>
          <Button disabled={undoing.isPending} onClick={() => undoing.mutate()}>
            <Undo2 aria-hidden className="size-4" /> Undo the split
          </Button>
        </div>
      </div>
    </main>
  );
}
