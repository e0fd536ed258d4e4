import { useFieldFocus } from '../../../shared/values/field-focus.tsx';
import { valueOfAfterMark } from '../../../shared/evaluation/after-mark.ts';
import { labelOf } from '../../../shared/values/field-shape.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { boxStyle, type Mark } from '../geometry/box-geometry.ts';

/** The places of extracted values, over one page. The panel is the way in for the keyboard, so these take no tab stop. */
export function MarksLayer({ marks }: { marks: Mark[] }) {
  const { selection, hovered, select, hover } = useFieldFocus();
  return (
    <div className="pointer-events-none absolute inset-0 z-10 mix-blend-multiply">
      {marks.map(({ path, box }, index) => {
        const after = valueOfAfterMark(path);
        const active = path === selection?.path || path === hovered;
        const name = (after ?? path).split('.').map(labelOf).join(', ');
        return (
          <button
            key={`${path}-${index}`}
            type="button"
            tabIndex={-1}
            data-mark={path}
            data-active={active || undefined}
            aria-label={after === undefined ? `Show the field ${name}` : `After the change: ${name}`}
            style={boxStyle(box)}
            onPointerEnter={() => hover(after ?? path)}
            onPointerLeave={() => hover(undefined)}
            onClick={() => select(after ?? path)}
            className={classNames(
              'pointer-events-auto absolute rounded-[2px] ring-offset-0 transition-[background-color,box-shadow] duration-100',
              after !== undefined && 'bg-warn-soft ring-2 ring-warn',
              after === undefined && (active ? 'bg-mark-active ring-2 ring-mark-edge' : 'bg-mark hover:bg-mark-active'),
            )}
          />
        );
      })}
    </div>
  );
}
