import type { Document, Extraction } from '@docwright/contract';
import { lazy, Suspense } from 'react';
import { filePath } from '../api/documents-api.ts';
import { useSession } from '../identity/session.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ImageViewer } from './image-viewer.tsx';
import { TextViewer } from './text-viewer.tsx';

const PdfViewer = lazy(async () => ({ default: (await import('./pdf-viewer.tsx')).PdfViewer }));

/** Pictures that browsers draw themselves. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/webp']);

interface DocumentViewerProps {
  document: Document;
  grounding: Extraction['grounding'];
}

/** The document as it looks, or, for kinds without a look, as it reads. */
export function DocumentViewer({ document, grounding }: DocumentViewerProps) {
  const { orgId } = useSession();
  const fileUrl = filePath(orgId, document.id);
  if (pictures.has(document.mime_type)) {
    return <ImageViewer fileUrl={fileUrl} name={document.document_name} grounding={grounding} />;
  }
  if (document.mime_type !== 'application/pdf') return <TextViewer documentId={document.id} grounding={grounding} />;
  return (
    <ErrorBoundary
      renderFallback={(error, retry) => <Unreadable reason={error.message} fileUrl={fileUrl} retry={retry} />}
    >
      <Suspense
        fallback={
          <div className="flex flex-1 items-center justify-center bg-page-bed text-ink-faint">
            <Spinner label="Loading the viewer" className="size-5" />
          </div>
        }
      >
        <PdfViewer fileUrl={fileUrl} grounding={grounding} />
      </Suspense>
    </ErrorBoundary>
  );
}

function Unreadable({ reason, fileUrl, retry }: { reason: string; fileUrl: string; retry: () => void }) {
  const locked = /password/i.test(reason);
  return (
    <div className="flex flex-1 items-start justify-center bg-page-bed p-6">
      <Notice tone="bad" className="max-w-md" actions={!locked && <Button onClick={retry}>Try again</Button>}>
        {locked
          ? 'This PDF is protected by a password. Remove the protection and upload it again.'
          : 'This PDF cannot be drawn; it may be damaged or cut short.'}{' '}
        <a href={fileUrl} download className="underline underline-offset-2">
          Download the file
        </a>
      </Notice>
    </div>
  );
}
