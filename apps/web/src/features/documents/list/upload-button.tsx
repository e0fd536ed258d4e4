import { fileKinds } from '@docwright/contract';
import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { usePageActions } from '../../../shared/page/find/page-actions.ts';
import { Button } from '../../../shared/ui/button.tsx';

/** The file dialog suggests these kinds; the server decides by the bytes. */
const accepted = Object.values(fileKinds)
  .flatMap(({ extensions }) => extensions.map((extension) => `.${extension}`))
  .join(',');

export function UploadButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  usePageActions([{ name: 'Upload documents', run: () => input.current?.click() }]);
  return (
    <>
      <Button look="primary" onClick={() => input.current?.click()}>
        <Upload aria-hidden className="size-4" /> Upload
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept={accepted}
        aria-label="Files to upload"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}
