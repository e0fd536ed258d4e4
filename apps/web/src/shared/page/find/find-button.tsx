import { Search } from 'lucide-react';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { lazyPart } from '../../ui/parts/lazy-part.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useWindowKey } from '../../ui/browser/use-window-key.ts';

const FindDialog = lazyPart(async () => ({ default: (await import('./find-dialog.tsx')).FindDialog }));

/** Opens the search dialog, as Ctrl+K (⌘K) does on every page. */
export function FindButton() {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const close = () => {
    setOpen(false);
    setText('');
  };
  useWindowKey((event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    setOpen(true);
  });
  // While the dialog loads, keys go to its text.
  const onTypeAhead = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.activeElement?.closest('[role="dialog"]')) return;
    // Only keys that produce text have a `key` of one character.
    const isCharacter = /^.$/u.test(event.key);
    if (!isCharacter && !['Backspace', 'Enter', 'Escape'].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isCharacter) setText((present) => present + event.key);
    if (event.key === 'Backspace') setText((present) => present.replace(/.$/u, ''));
    if (event.key === 'Escape') close();
  });
  useEffect(() => {
    if (!open) return undefined;
    const listener = (event: KeyboardEvent) => onTypeAhead(event);
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, [open]);
  return (
    <>
      <IconButton label="Find anything" hint="Ctrl+K" onClick={() => setOpen(true)}>
        <Search className="size-4" />
      </IconButton>
      <Suspense>{open && <FindDialog text={text} onText={setText} onClose={close} />}</Suspense>
    </>
  );
}
