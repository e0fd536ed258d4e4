import { Link, useRouterState } from '@tanstack/react-router';
import {
  Braces,
  CalendarClock,
  FileText,
  Library,
  ListTodo,
  Menu as MenuIcon,
  Settings,
  Tag,
  TextQuote,
} from 'lucide-react';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';

const places = [
  { to: '/', label: 'Documents', Icon: FileText },
  { to: '/schemas', label: 'Schemas', Icon: Braces },
  { to: '/prompts', label: 'Prompts', Icon: TextQuote },
  { to: '/tags', label: 'Tags', Icon: Tag },
  { to: '/collections', label: 'Collections', Icon: Library },
  { to: '/schedules', label: 'Schedules and runs', Icon: CalendarClock },
  { to: '/tasks', label: 'Tasks', Icon: ListTodo },
  { to: '/settings', label: 'Settings', Icon: Settings },
] as const;

/** Where a place has pages under another address: documents stand at the root, runs belong to the schedules, setups to what comes of them. */
const belongsTo: Record<string, string> = { '/documents': '/', '/runs': '/schedules', '/setup': '/collections' };

/** The place an address belongs to. */
function placeOf(pathname: string): string {
  const first = `/${pathname.split('/')[1] ?? ''}`;
  return belongsTo[first] ?? first;
}

interface MainNavigationProps {
  /** Leaves room for others: the menu stays up to a wide window. */
  narrow: boolean;
}

/** The places of the product: a line of links, a menu where there is no room for it. */
export function MainNavigation({ narrow }: MainNavigationProps) {
  const here = useRouterState({ select: ({ location }) => placeOf(location.pathname) });
  const marked = (to: string) => (to === here ? ({ 'aria-current': 'page' } as const) : {});
  return (
    <nav aria-label="Main">
      <ul className={classNames('flex gap-0.5', narrow ? 'max-[90rem]:hidden' : 'max-[72rem]:hidden')}>
        {places.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: true }}
              {...marked(to)}
              className="block rounded-md px-2 py-1 text-sm font-medium text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:text-ink"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <div className={narrow ? 'min-[90rem]:hidden' : 'min-[72rem]:hidden'}>
        <Menu
          align="start"
          trigger={
            <IconButton label="Menu">
              <MenuIcon className="size-4.5" />
            </IconButton>
          }
        >
          {places.map(({ to, label, Icon }) => (
            <MenuItem key={to} asChild className="aria-[current]:font-semibold aria-[current]:[&>svg]:text-accent">
              <Link to={to} activeOptions={{ exact: true }} {...marked(to)}>
                <Icon aria-hidden /> {label}
              </Link>
            </MenuItem>
          ))}
        </Menu>
      </div>
    </nav>
  );
}
