import { Check, Eraser, Pencil } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { formatValue } from '../../shared/values/field-value.ts';
import type { Desk } from './use-desk.ts';
import { scalarOf } from './use-group-values.ts';

/** The actions below the current value; on a phone the main ones are at the bottom of the screen. */
export function ValueActions({ desk }: { desk: Desk }) {
  const { byKey } = desk.actions;
  const other = otherWords(desk);
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 max-lg:empty:hidden">
      <span className="flex gap-2 max-lg:hidden">
        <MainActions desk={desk} />
      </span>
      {byKey['u'] && (
        <Button data-review size="small" look="quiet" onClick={byKey['u']}>
          Use {other || 'nothing'} <KeyCap name="u" />
        </Button>
      )}
    </div>
  );
}

/** What the document says for machines, or a second read found, in place of the current value; undefined if it is the same. */
export function otherWords({ item, otherValue, values }: Desk): string | undefined {
  if (item === undefined || otherValue === undefined) return undefined;
  return formatValue({ value: scalarOf(otherValue), path: item.path, shape: values.shapeAt(item) });
}

/** What can be decided about the current value. */
function MainActions({ desk }: { desk: Desk }) {
  const { byKey } = desk.actions;
  return (
    <>
      <Button data-review look="primary" onClick={byKey['enter']}>
        <Check aria-hidden className="size-4" />
        Confirm <KeyCap name="Enter" />
      </Button>
      <Button data-review onClick={byKey['e']}>
        <Pencil aria-hidden className="size-4" />
        Edit <KeyCap name="e" />
      </Button>
      <Button data-review onClick={byKey['x']}>
        <Eraser aria-hidden className="size-4" />
        Clear <KeyCap name="x" />
      </Button>
    </>
  );
}

/** The same on a phone, where a thumb reaches them. */
export function ThumbActions({ desk }: { desk: Desk }) {
  return (
    <div className="flex flex-wrap gap-2 border-t border-line px-3 pt-2 *:h-12 *:flex-1 *:px-2 lg:hidden">
      <MainActions desk={desk} />
    </div>
  );
}
