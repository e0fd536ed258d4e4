import { ArrowDown, ArrowUp, CopyPlus, Ellipsis, Trash2 } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Menu, MenuItem, MenuLine } from '../../shared/ui/menu.tsx';
import { useForm } from './form-context.tsx';
import { joinPath, moved } from './form-value.ts';

interface RowMenuProps {
  /** Path of the list. */
  path: string;
  items: unknown[];
  index: number;
  /** What the list holds, for those who cannot see it. */
  label: string;
}

/** What can be done with one row of a list. */
export function RowMenu({ path, items, index, label }: RowMenuProps) {
  const { set, disabled } = useForm();
  if (disabled) return null;
  const move = (to: number) => {
    set(path, moved(items, index, to));
    // The menu gives the focus back to its button first.
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

/** Puts the focus into the first control of a row that is drawn. */
export function focusRow(path: string, index: number) {
  const row = joinPath(path, index);
  document
    .querySelector<HTMLElement>(`[data-control="${CSS.escape(row)}"], [data-control^="${CSS.escape(`${row}.`)}"]`)
    ?.focus();
}
