import { FileSearch, FileUp } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { usePlacesInside } from './found-places.tsx';
import { UploadButton } from './upload-button.tsx';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../../shared/http/api-error.ts';

interface EmptyListProps {
  filtered: boolean;
  /** The text of the search. */
  text: string | undefined;
  canWrite: boolean;
  onClear: () => void;
  onFiles: (files: File[]) => void;
}

export function EmptyList({ filtered, text, canWrite, onClear, onFiles }: EmptyListProps) {
  const inside = usePlacesInside(text ?? '');
  if (filtered && inside?.length !== 0) {
    const looked = inside === undefined ? 'Looking inside documents…' : 'It stands in the documents below.';
    return <p className="px-3 py-2 text-sm text-ink-soft">No document has this name. {looked}</p>;
  }
  if (filtered) {
    return (
      <EmptyState
        icon={FileSearch}
        title="Nothing matches"
        actions={<Button onClick={onClear}>Clear the search</Button>}
      >
        {text === undefined
          ? 'No document has what the filters above ask for.'
          : 'No document has this name, and none has it on a page or in a value.'}
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

/** Fictitious documents that come with the web app. */
const samples = [
  { label: 'Invoice', name: 'Sample invoice.pdf', path: '/samples/invoice.pdf' },
  { label: 'Lab report', name: 'Sample lab report.pdf', path: '/samples/lab-report.pdf' },
  { label: 'Contract', name: 'Sample contract.pdf', path: '/samples/contract.pdf' },
];

/** Offers sample documents in an empty workspace. */
function SampleDocuments({ onFiles }: { onFiles: (files: File[]) => void }) {
  const adding = useMutation({
    mutationFn: async ({ name, path }: (typeof samples)[number]) => {
      const answer = await fetch(path);
      if (!answer.ok) throw new Error('The sample could not be loaded. Try again.');
      return new File([await answer.blob()], name, { type: 'application/pdf' });
    },
    onSuccess: (file) => onFiles([file]),
  });
  return (
    <div className="flex flex-col items-center gap-2 px-6 pb-10">
      <p className="text-sm text-ink-soft">Or try a sample:</p>
      <div className="flex flex-wrap justify-center gap-2">
        {samples.map((sample) => (
          <Button key={sample.path} size="small" disabled={adding.isPending} onClick={() => adding.mutate(sample)}>
            {sample.label}
          </Button>
        ))}
      </div>
      {adding.isError && <p className="text-sm text-bad">{messageOf(adding.error)}</p>}
    </div>
  );
}
