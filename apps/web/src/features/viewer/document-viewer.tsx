import type { Document, Extraction, FileKind } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import type { TextLook } from './text-viewer.tsx';
import { documentQuery, filePath, unlockDocument } from '../../shared/api/documents-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ErrorBoundary } from '../../shared/ui/parts/error-boundary.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';

const ImageViewer = lazyPart(async () => ({ default: (await import('./image-viewer.tsx')).ImageViewer }));
const TextViewer = lazyPart(async () => ({ default: (await import('./text-viewer.tsx')).TextViewer }));
const PdfViewer = lazyPart(async () => ({ default: (await import('./pdf-viewer.tsx')).PdfViewer }));
const TiffViewer = lazyPart(async () => ({ default: (await import('./tiff-viewer.tsx')).TiffViewer }));

/** Image types that browsers can display. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/bmp']);

/** The look of kinds of files without pages; other kinds are plain text. */
const textLooks: Partial<Record<FileKind, TextLook>> = {
  'text/csv': 'grid',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'grid',
  'application/vnd.oasis.opendocument.spreadsheet': 'grid',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document',
  'application/vnd.oasis.opendocument.text': 'document',
  'application/rtf': 'document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'document',
  'application/vnd.oasis.opendocument.presentation': 'document',
  'text/html': 'document',
  'multipart/related': 'document',
  'message/rfc822': 'document',
  'application/vnd.ms-outlook': 'document',
  'application/pkcs7-mime': 'document',
  'application/ms-tnef': 'document',
};
const lookOf = (mimeType: string): TextLook => (textLooks as Record<string, TextLook | undefined>)[mimeType] ?? 'plain';

/** Errors of a file that needs a password. */
const lockErrors = new Set(['password_required', 'unsupported_encryption']);

interface DocumentViewerProps {
  document: Document;
  grounding: Extraction['grounding'];
  /** Called when the first page of a PDF is drawn, and for other files as soon as their viewer loads. */
  onShown?: () => void;
}

/** Shows a document's pages, or its text if the file type has no pages. */
export function DocumentViewer({ document, grounding, onShown }: DocumentViewerProps) {
  const { orgId } = useSession();
  const fileUrl = filePath(orgId, document.id);
  // Some browsers do not report that a file is locked; the server does.
  if (document.state_error && lockErrors.has(document.state_error.code)) {
    const opens = document.state_error.code === 'password_required' ? document.id : undefined;
    return <Unreadable locked fileUrl={fileUrl} documentId={opens} />;
  }
  return (
    <ErrorBoundary
      renderFallback={(error, retry) => (
        <Unreadable locked={/password/i.test(error.message)} fileUrl={fileUrl} retry={retry} />
      )}
    >
      <Suspense fallback={<LoadingViewer />}>
        <Viewer document={document} fileUrl={fileUrl} grounding={grounding} onShown={onShown} />
      </Suspense>
    </ErrorBoundary>
  );
}

interface ViewerProps extends Omit<DocumentViewerProps, 'onShown'> {
  fileUrl: string;
  onShown: (() => void) | undefined;
}

function Viewer({ document, fileUrl, grounding, onShown }: ViewerProps) {
  const props = { documentId: document.id, fileUrl, grounding };
  const isPdf = document.mime_type === 'application/pdf';
  useEffect(() => {
    if (!isPdf) onShown?.();
  }, [isPdf, onShown]);
  if (imageTypes.has(document.mime_type)) return <ImageViewer {...props} name={document.document_name} />;
  if (isPdf) return <PdfViewer {...props} pageCount={document.page_count ?? 1} onShown={onShown} />;
  if (document.mime_type === 'image/tiff') return <TiffViewer {...props} />;
  return <TextViewer document={document} grounding={grounding} look={lookOf(document.mime_type)} />;
}

/** Reserves the toolbar's place, so that nothing moves when the viewer is loaded. */
function LoadingViewer() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="h-10 shrink-0 border-b border-line bg-surface" />
      <div className="flex flex-1 items-center justify-center bg-page-bed text-ink-faint">
        <Spinner label="Loading the viewer" className="size-5" />
      </div>
    </div>
  );
}

interface UnreadableProps {
  /** Whether the file needs a password. */
  locked: boolean;
  fileUrl: string;
  /** Of a document that its password opens. */
  documentId?: string | undefined;
  retry?: () => void;
}

function Unreadable({ locked, fileUrl, documentId, retry }: UnreadableProps) {
  return (
    <div className="flex flex-1 items-start justify-center bg-page-bed p-6">
      <Notice tone="bad" className="max-w-md" actions={!locked && retry && <Button onClick={retry}>Try again</Button>}>
        {locked
          ? documentId === undefined
            ? 'This PDF is protected by a password. Remove the protection and upload it again.'
            : 'This PDF is protected by a password.'
          : 'This file cannot be shown. It may be damaged.'}{' '}
        <a href={fileUrl} download className="underline underline-offset-2">
          Download the file
        </a>
        {documentId !== undefined && <PasswordForm documentId={documentId} />}
      </Notice>
    </div>
  );
}

/** Asks for the password of a PDF, which is used once. Then the document is read. */
export function PasswordForm({ documentId }: { documentId: string }) {
  const { orgId } = useSession();
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const opening = useMutation({
    mutationFn: () => unlockDocument(orgId, documentId, password),
    onSuccess: (document) => queries.setQueryData(documentQuery(orgId, documentId).queryKey, document),
  });
  return (
    <form
      className="mt-2 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') opening.mutate();
      }}
    >
      <TextField
        label="Password of the PDF"
        type="password"
        autoComplete="off"
        maxLength={500}
        value={password}
        error={opening.error?.message}
        onChange={(event) => setPassword(event.currentTarget.value)}
        className="flex-[1_1_12rem]"
      />
      <Button type="submit" disabled={opening.isPending}>
        Open
      </Button>
    </form>
  );
}
