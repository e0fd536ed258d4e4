import { Link, useRouterState } from '@tanstack/react-router';
import { ChevronDown, Menu as MenuIcon } from 'lucide-react';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { isWithin, placeGroups, setUpPlaces, type HeaderPlace } from './places.tsx';

const linkClass =
  'flex items-center gap-1.5 rounded-md px-2 py-1 text-sm font-medium text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:text-ink';
const groups = placeGroups.filter((group) => group.length > 0);

function useCurrent(): (place: HeaderPlace) => { 'aria-current'?: 'page' } {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  return (place) => (isWithin(place, pathname) ? { 'aria-current': 'page' } : {});
}

interface MainNavigationProps {
  /** Collapses into one menu in all but very wide windows. */
  narrow: boolean;
}

/** Groups of links and the menu "Set up"; in narrow windows, one menu. */
export function MainNavigation({ narrow }: MainNavigationProps) {
  return (
    <nav aria-label="Main">
      <WideNavigation className={narrow ? 'max-[90rem]:hidden' : 'max-[56rem]:hidden'} />
      <NarrowNavigation className={narrow ? 'min-[90rem]:hidden' : 'min-[56rem]:hidden'} />
    </nav>
  );
}

function WideNavigation({ className }: { className: string }) {
  const current = useCurrent();
  const inSetUp = setUpPlaces.some((place) => 'aria-current' in current(place));
  return (
    <ul className={classNames('flex items-center gap-0.5', className)}>
      {groups.map((group, index) =>
        group.map((place, position) => (
          <li key={place.to} className={index > 0 && position === 0 ? 'ml-1.5 border-l border-line pl-1.5' : undefined}>
            <Link to={place.to} activeOptions={{ exact: true }} {...current(place)} className={linkClass}>
              {place.label}
              {place.Count && <place.Count />}
            </Link>
          </li>
        )),
      )}
      <li className="ml-1.5 border-l border-line pl-1.5">
        <Menu
          align="start"
          trigger={
            <button type="button" className={classNames(linkClass, inSetUp && 'bg-hover text-ink')}>
              Set up <ChevronDown aria-hidden className="size-3.5" />
            </button>
          }
        >
          <PlaceItems places={setUpPlaces} />
        </Menu>
      </li>
    </ul>
  );
}

function NarrowNavigation({ className }: { className: string }) {
  return (
    <div className={className}>
      <Menu
        align="start"
        trigger={
          <IconButton label="Menu">
            <MenuIcon className="size-4.5" />
          </IconButton>
        }
      >
        {groups.map((group) => (
          <PlaceItems key={group[0]?.to} places={group} />
        ))}
        <MenuLine />
        <MenuLabel>Set up</MenuLabel>
        <PlaceItems places={setUpPlaces} />
      </Menu>
    </div>
  );
}

function PlaceItems({ places }: { places: readonly HeaderPlace[] }) {
  const current = useCurrent();
  return places.map((place) => (
    <MenuItem key={place.to} asChild className="aria-[current]:font-semibold aria-[current]:[&>svg]:text-accent">
      <Link to={place.to} activeOptions={{ exact: true }} {...current(place)}>
        <place.Icon aria-hidden /> {place.label}
        {place.Count && <place.Count />}
      </Link>
    </MenuItem>
  ));
}
