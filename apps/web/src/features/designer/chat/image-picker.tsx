import { ImagePlus } from 'lucide-react';
import { useId, useState, type ClipboardEvent, type DragEvent } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { readExampleImage } from '../state/example-image.ts';

export const imageTypes = 'image/png,image/jpeg,image/webp,image/gif';

interface ImagePickerProps {
  /** What the image should show. */
  label: string;
  onImage: (url: string) => void;
}

/** Picks one image: chosen, dropped or pasted. */
export function ImagePicker({ label, onImage }: ImagePickerProps) {
  const id = useId();
  const [isDragOver, setIsDragOver] = useState(false);
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState<string>();
  const readImage = async ([file]: File[]) => {
    if (!file) return;
    setProblem(undefined);
    setReading(true);
    try {
      onImage(await readExampleImage(file));
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setReading(false);
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsDragOver(false);
    void readImage([...event.dataTransfer.files]);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void readImage([...event.clipboardData.files]);
  };
  return (
    <div
      role="presentation"
      onPaste={onPaste}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDragOver(true);
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={onDrop}
    >
      <label
        htmlFor={id}
        className={classNames(
          'flex min-h-20 cursor-pointer flex-col items-center justify-center gap-1 rounded-md border border-dashed px-3 py-2 text-center text-sm focus-within:outline-2 focus-within:outline-accent',
          isDragOver ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-hover',
        )}
      >
        {reading ? (
          <Spinner label="Reading the image" className="text-ink-faint" />
        ) : (
          <ImagePlus aria-hidden className="size-5 text-ink-faint" strokeWidth={1.5} />
        )}
        <span className="font-medium">Choose an image</span>
        <span className="text-xs text-ink-faint">or drop it here, or paste it</span>
        <input
          id={id}
          type="file"
          accept={imageTypes}
          aria-label={label}
          className="sr-only"
          onChange={(event) => {
            void readImage([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </label>
      {problem !== undefined && (
        <p role="alert" className="mt-1 text-xs text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
