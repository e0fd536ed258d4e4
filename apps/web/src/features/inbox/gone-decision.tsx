import { Button } from '../../shared/ui/button.tsx';

/** In place of the buttons of a decision that somebody else has made, so that no click meets the next one. */
export function GoneDecision({ onNext }: { onNext: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="min-w-0 flex-1 text-sm">This was decided elsewhere or has ended.</p>
      <Button onClick={onNext}>Next decision</Button>
    </div>
  );
}
