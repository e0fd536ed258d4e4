import type { Collection } from '@docwright/contract';
import { panelClass } from '../../shared/page/page.tsx';

/** How far indexing is: a line that only grows; the counts stand with the name. */
export function CollectionProgress({ collection }: { collection: Collection }) {
  const { documents, waiting } = collection.progress;
  // Right after an update has begun, nobody knows yet how much there is to do.
  const isKnown = documents > 0 && waiting > 0;
  return (
    <div className={`${panelClass} flex flex-col gap-2 p-3`}>
      <progress
        aria-label="Documents that are indexed"
        max={1}
        value={isKnown ? (documents - waiting) / documents : undefined}
        className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
      />
      <p className="text-sm text-ink-soft">
        {!isKnown && 'Looking at what the source holds. '}What is indexed can be searched already.
      </p>
    </div>
  );
}
