import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { Menu } from './menu.tsx';

interface ActionsMenuProps {
  /** The object that the actions change. */
  of: string;
  className?: string;
  /** The items. */
  children: ReactNode;
}

/** The menu of the less frequent actions on an object. */
export function ActionsMenu({ of, className, children }: ActionsMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${of}`} className={className}>
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      {children}
    </Menu>
  );
}
