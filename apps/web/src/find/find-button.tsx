import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { IconButton } from '../ui/icon-button.tsx';

const FindDialog = lazy(async () => ({ default: (await import('./find-dialog.tsx')).FindDialog }));

/** Opens the search for anything, as Ctrl+K (⌘K) does everywhere. */
export function FindButton() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <IconButton label="Find anything" hint="Ctrl+K" onClick={() => setOpen(true)}>
        <Search className="size-4" />
      </IconButton>
      <Suspense>{open && <FindDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
