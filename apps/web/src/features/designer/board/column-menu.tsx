import { ArrowDown, ArrowUp, Ellipsis, Trash2 } from 'lucide-react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu, MenuItem, MenuLine } from '../../../shared/ui/menu.tsx';

interface ColumnMenuProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

export function ColumnMenu({ name, isFirst, isLast, onMove, onRemove }: ColumnMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${name === '' ? 'the new column' : name}`}>
          <Ellipsis aria-hidden className="size-4" />
        </IconButton>
      }
    >
      <MenuItem disabled={isFirst} onSelect={() => onMove(-1)}>
        <ArrowUp aria-hidden /> Move up
      </MenuItem>
      <MenuItem disabled={isLast} onSelect={() => onMove(1)}>
        <ArrowDown aria-hidden /> Move down
      </MenuItem>
      <MenuLine />
      <MenuItem danger onSelect={onRemove}>
        <Trash2 aria-hidden /> Remove
      </MenuItem>
    </Menu>
  );
}
