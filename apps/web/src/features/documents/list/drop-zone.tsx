import { FileUp } from 'lucide-react';
import { droppedFiles } from './dropped-files.ts';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';

interface DropZoneProps {
  enabled: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');

/** Accepts files dropped anywhere on its children, and says so while they hover. */
export function DropZone({ enabled, onFiles, children }: DropZoneProps) {
  const [over, setOver] = useState(false);
  // Enter and leave also fire for every child: the pointer has left when both happened equally often.
  const depth = useRef(0);
  const end = () => {
    depth.current = 0;
    setOver(false);
  };
  return (
    <div
      role="presentation"
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnter={(event) => {
        if (!enabled || !carriesFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!carriesFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) end();
      }}
      onDragOver={(event) => {
        if (enabled && carriesFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        end();
        if (enabled) void droppedFiles(event.dataTransfer).then(onFiles);
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-3 z-30 flex flex-col items-center justify-center gap-2 rounded-lg border-2 border-dashed border-accent bg-accent-soft/90">
          <FileUp aria-hidden className="size-8 text-accent" strokeWidth={1.5} />
          <p className="text-lg font-semibold">Drop files or folders to upload</p>
        </div>
      )}
    </div>
  );
}
