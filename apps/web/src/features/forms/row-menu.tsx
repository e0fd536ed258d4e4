import { ArrowDown, ArrowUp, CopyPlus, Ellipsis, Trash2 } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Menu, MenuItem, MenuLine } from '../../shared/ui/menu.tsx';
import { useForm } from './form-context.tsx';
import { moved } from './form-value.ts';
import { joinPath } from '../../shared/values/value-path.ts';

interface RowMenuProps {
  /** Path of the list. */
  path: string;
  items: unknown[];
  index: number;
  /** The name of the list, for screen readers. */
  label: string;
}

/** The actions on one row of a list. */
export function RowMenu({ path, items, index, label }: RowMenuProps) {
  const { set, disabled } = useForm();
  if (disabled) return null;
  const move = (to: number) => {
    set(path, moved(items, index, to));
    // Waits until the menu has returned the focus to its button.
    requestAnimationFrame(() => focusRow(path, to));
  };
  return (
    <Menu
      trigger={
        <IconButton label={`Row ${index + 1} of ${label}`}>
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      <MenuItem disabled={index === 0} onSelect={() => move(index - 1)}>
        <ArrowUp aria-hidden /> Move up
      </MenuItem>
      <MenuItem disabled={index === items.length - 1} onSelect={() => move(index + 1)}>
        <ArrowDown aria-hidden /> Move down
      </MenuItem>
      <MenuItem onSelect={() => set(path, items.toSpliced(index + 1, 0, items[index]))}>
        <CopyPlus aria-hidden /> Duplicate
      </MenuItem>
      <MenuLine />
      <MenuItem danger onSelect={() => set(path, items.toSpliced(index, 1))}>
        <Trash2 aria-hidden /> Remove
      </MenuItem>
    </Menu>
  );
}

/** Focuses the first control of a rendered row. */
export function focusRow(path: string, index: number) {
  const row = joinPath(path, index);
  document
    .querySelector<HTMLElement>(`[data-control="${CSS.escape(row)}"], [data-control^="${CSS.escape(`${row}.`)}"]`)
    ?.focus();
}
