import { FileSearch, FileUp } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { SampleDocuments } from './sample-documents.tsx';
import { UploadButton } from './upload-button.tsx';

interface EmptyListProps {
  filtered: boolean;
  canWrite: boolean;
  onClear: () => void;
  onFiles: (files: File[]) => void;
}

export function EmptyList({ filtered, canWrite, onClear, onFiles }: EmptyListProps) {
  if (filtered) {
    return (
      <EmptyState
        icon={FileSearch}
        title="Nothing matches"
        actions={<Button onClick={onClear}>Clear the search</Button>}
      >
        No document has this name, state and tag.
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState icon={FileUp} title="No documents yet" actions={canWrite && <UploadButton onFiles={onFiles} />}>
        {canWrite
          ? 'Drop files anywhere on this page, or upload them: PDF, Word, Excel, CSV, text, HTML, e-mail, scans and photos.'
          : 'You can view this organization. Ask a member to upload documents.'}
      </EmptyState>
      {canWrite && <SampleDocuments onFiles={onFiles} />}
    </>
  );
}
