import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { IconButton } from '../icon-button.tsx';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  children: ReactNode;
}

export function Dialog({ open, onOpenChange, title, description, children }: DialogProps) {
  // A hint that is open takes the first Escape for itself, and the way out would need a second one.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const inside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === 'Escape' && inside) onOpenChange(false);
  };
  // There is no trigger within that the focus could go back to by itself.
  const opener = useRef<Element>(undefined);
  const onOpen = () => {
    opener.current = openerNow();
  };
  const onClose = (event: Event) => {
    event.preventDefault();
    // What was decided may lead somewhere by itself.
    if (document.activeElement === document.body) landing(opener.current)?.focus({ preventScroll: true });
  };
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[rgb(10_12_16/45%)]" />
        <Primitive.Content
          onKeyDown={onKeyDown}
          onOpenAutoFocus={onOpen}
          onCloseAutoFocus={onClose}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className="fixed top-[18vh] left-1/2 z-40 flex max-h-[70vh] w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 flex-col gap-3 overflow-auto rounded-lg border border-line bg-raised p-4 shadow-float"
        >
          <Primitive.Title className="pr-9 text-lg font-semibold wrap-anywhere">{title}</Primitive.Title>
          {description !== undefined && (
            <Primitive.Description className="text-sm text-ink-soft wrap-anywhere">{description}</Primitive.Description>
          )}
          {children}
          {/* Last, so that opening leads to what the dialog is about. */}
          <Primitive.Close asChild>
            <IconButton label="Close" className="absolute top-3.5 right-3">
              <X className="size-4" />
            </IconButton>
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** What has the focus; of an item in a menu, which goes with it, the button that opened the menu. */
function openerNow(): Element | undefined {
  const focused = document.activeElement ?? undefined;
  const trigger = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return trigger == null ? focused : (document.getElementById(trigger) ?? undefined);
}

/** What opened the dialog; where that went with what was decided, the page, so that Tab goes on within it. */
function landing(opener: Element | undefined): HTMLElement | undefined {
  if (opener instanceof HTMLElement && opener.isConnected) return opener;
  const main = document.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  return main ?? undefined;
}
