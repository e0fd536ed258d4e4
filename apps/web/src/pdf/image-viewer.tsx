import type { Extraction } from '@docwright/contract';
import { useMemo } from 'react';
import { marksByPage } from './box-geometry.ts';
import { MarksLayer } from './marks-layer.tsx';

interface ImageViewerProps {
  fileUrl: string;
  name: string;
  grounding: Extraction['grounding'];
}

/** A picture is its own only page. */
export function ImageViewer({ fileUrl, name, grounding }: ImageViewerProps) {
  const marks = useMemo(() => marksByPage(grounding).get(1) ?? [], [grounding]);
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-page-bed p-4">
      <div data-page={1} className="relative mx-auto w-fit bg-paper shadow-sm">
        <img src={fileUrl} alt={name} className="block max-w-full" />
        <MarksLayer marks={marks} />
      </div>
    </div>
  );
}
