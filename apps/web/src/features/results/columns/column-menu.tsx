import { Columns3 } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu, MenuCheck, MenuItem, MenuLine } from '../../../shared/ui/menu.tsx';
import { shownColumns, type ShownColumn } from './result-columns.ts';

interface ColumnMenuProps {
  all: ShownColumn[];
  /** The paths of the address; undefined for the first columns. */
  chosen: string[] | undefined;
  onChange: (columns: string[] | undefined) => void;
}

/** Chooses the columns. A column that is added comes last. */
export function ColumnMenu({ all, chosen, onChange }: ColumnMenuProps) {
  const shown = shownColumns(all, chosen).map(({ path }) => path);
  const toggle = (path: string) => {
    const next = shown.includes(path) ? shown.filter((each) => each !== path) : [...shown, path];
    if (next.length > 0) onChange(next);
  };
  return (
    <Menu
      align="start"
      trigger={
        <Button size="small" disabled={all.length === 0}>
          <Columns3 aria-hidden className="size-3.5" /> Columns{' '}
          <span className="text-ink-faint tabular-nums">
            {shown.length}/{all.length}
          </span>
        </Button>
      }
    >
      {all.map(({ path, label }) => (
        <MenuCheck
          key={path}
          checked={shown.includes(path)}
          onCheckedChange={() => toggle(path)}
          onSelect={(event) => event.preventDefault()}
        >
          <span className="truncate">{label}</span>
        </MenuCheck>
      ))}
      <MenuLine />
      <MenuItem disabled={chosen === undefined} onSelect={() => onChange(undefined)}>
        Show the usual columns
      </MenuItem>
    </Menu>
  );
}
