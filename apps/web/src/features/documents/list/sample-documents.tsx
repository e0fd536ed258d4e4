import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../../shared/http/api-error.ts';
import { Button } from '../../../shared/ui/button.tsx';

/** Invented documents that come with the web app. */
const samples = [
  { label: 'Invoice', name: 'Sample invoice.pdf', path: '/samples/invoice.pdf' },
  { label: 'Lab report', name: 'Sample lab report.pdf', path: '/samples/lab-report.pdf' },
  { label: 'Contract', name: 'Sample contract.pdf', path: '/samples/contract.pdf' },
];

/** Documents to try the product with, for a workspace that has none. */
export function SampleDocuments({ onFiles }: { onFiles: (files: File[]) => void }) {
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
