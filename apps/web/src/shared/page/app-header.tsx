import { Link } from '@tanstack/react-router';
import { CircleUser, LogOut } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { usePageActions } from './find/page-actions.ts';
import { FindButton } from './find/find-button.tsx';
import { useSession } from '../session/session.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { Logo } from './logo.tsx';
import { MainNavigation } from './main-navigation.tsx';
import { applyTheme, storedTheme, type Theme } from './theme.ts';
import { useSignOut } from './use-sign-out.ts';

const themes: { theme: Theme; label: string }[] = [
  { theme: 'system', label: 'System' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
];

interface AppHeaderProps {
  /** The page puts much into the header: the navigation collapses into a menu earlier. */
  full?: boolean;
  children: ReactNode;
}

/** The bar at the top of every page; `children` fill its middle. */
export function AppHeader({ full = false, children }: AppHeaderProps) {
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-b border-line bg-surface px-4">
      <Link to="/" className="flex items-center gap-2 rounded-sm font-semibold">
        <Logo className="size-6 shrink-0" />
        <span className="max-md:sr-only">Docwright</span>
      </Link>
      <MainNavigation narrow={full} />
      <div className="flex min-w-0 flex-1 items-center gap-2 border-l border-line pl-3">{children}</div>
      <FindButton />
      <AccountMenu />
    </header>
  );
}

function AccountMenu() {
  const { me, organization, chooseOrganization } = useSession();
  const [theme, setTheme] = useState(storedTheme);
  const signingOut = useSignOut();
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  usePageActions([
    { name: 'Light theme', run: () => choose('light') },
    { name: 'Dark theme', run: () => choose('dark') },
    { name: 'Theme of the device', run: () => choose('system') },
    { name: 'Sign out', run: signingOut.start },
  ]);
  return (
    <Menu
      trigger={
        <IconButton label={`Account of ${me.user.name}`}>
          <CircleUser className="size-4.5" />
        </IconButton>
      }
    >
      <MenuLabel>{me.user.has_password ? `${me.user.name} · ${me.user.email}` : me.user.name}</MenuLabel>
      {me.organizations.length > 1 && (
        <>
          <MenuLine />
          <MenuLabel>Organization</MenuLabel>
          {me.organizations.map(({ id, name }) => (
            <MenuCheck key={id} checked={id === organization.id} onCheckedChange={() => chooseOrganization(id)}>
              <span className="truncate">{name}</span>
            </MenuCheck>
          ))}
        </>
      )}
      <MenuLine />
      <MenuLabel>Theme</MenuLabel>
      {themes.map((option) => (
        <MenuCheck key={option.theme} checked={theme === option.theme} onCheckedChange={() => choose(option.theme)}>
          {option.label}
        </MenuCheck>
      ))}
      <MenuLine />
      <MenuItem onSelect={signingOut.start}>
        <LogOut aria-hidden /> Sign out
      </MenuItem>
    </Menu>
  );
}
