import type { PermissionScope } from '@docwright/contract';
import { ChevronDown, ShieldCheck } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu, MenuItem, MenuLabel } from '../../../shared/ui/menu.tsx';

const scopes: { scope: PermissionScope; label: string }[] = [
  { scope: 'thread', label: 'In this conversation' },
  { scope: 'document', label: 'For this document' },
  { scope: 'organization', label: 'In the whole organization' },
];

interface AlwaysAllowProps {
  isAdmin: boolean;
  onAllow: (scope: PermissionScope) => void;
}

/** Approves, and makes it a rule; one for everybody is the admins' to make. */
export function AlwaysAllow({ isAdmin, onAllow }: AlwaysAllowProps) {
  const offered = scopes.filter(({ scope }) => scope !== 'organization' || isAdmin);
  return (
    <Menu
      align="start"
      trigger={
        <Button look="quiet" size="small">
          <ShieldCheck aria-hidden className="size-4" /> Always allow
          <ChevronDown aria-hidden className="size-3.5" />
        </Button>
      }
    >
      <MenuLabel>Approve, and from now on run this tool unasked</MenuLabel>
      {offered.map(({ scope, label }) => (
        <MenuItem key={scope} onSelect={() => onAllow(scope)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
