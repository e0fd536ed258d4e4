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

/** In place of the buttons until it is known whether the shown decision waits on another page. */
export function UnknownDecision() {
  return <p className="text-sm">It is not known whether this still waits.</p>;
}

/** Says why nothing can be decided when none of several calls is chosen. */
export const tickHint = 'Tick those to decide on.';

/** In place of the buttons when only a call is left that the user has not chosen, so that no click decides on it. */
export function OtherCallLeft({ onChoose }: { onChoose: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="min-w-0 flex-1 text-sm">What you had chosen waits no longer. This similar call is left.</p>
      <Button onClick={onChoose}>Decide on this one</Button>
    </div>
  );
}
