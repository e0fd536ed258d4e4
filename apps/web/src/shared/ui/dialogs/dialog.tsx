import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Button } from '../button.tsx';
import { IconButton } from '../icon-button.tsx';
import { Notice } from '../notice.tsx';
import { useLeaveQuestion } from './use-leave-question.ts';

interface DialogProps {
  open: boolean;
  /** Without it the dialog has no button that closes it. */
  onOpenChange?: (open: boolean) => void;
  title: string;
  description?: string;
  /** For tables and lists. */
  wide?: boolean;
  children: ReactNode;
}

/** A click beside it closes it, unless the user has entered something in its form; the Back button asks then. */
export function Dialog({ open, onOpenChange, title, description, wide = false, children }: DialogProps) {
  // An open tooltip would consume the first Escape, and closing would need a second one.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const inside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === 'Escape' && inside) onOpenChange?.(false);
  };
  const [isEntered, setEntered] = useState(false);
  const onInput = ({ target }: FormEvent) => {
    // What has no way out, such as the sign-in of an ended session, goes on by loading the page again.
    if (onOpenChange && target instanceof Element && target.closest('form') !== null) setEntered(true);
  };
  // Radix returns the focus only to its own trigger, which these dialogs do not have.
  const opener = useRef<Element>(undefined);
  const onOpen = () => {
    opener.current = findOpener();
  };
  const onClose = (event: Event) => {
    event.preventDefault();
    // The action in the dialog may have moved the focus already.
    if (document.activeElement === document.body) focusTarget(opener.current)?.focus({ preventScroll: true });
  };
  return (
    <Primitive.Root open={open} {...(onOpenChange && { onOpenChange })}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[rgb(10_12_16/45%)]" />
        <Primitive.Content
          onKeyDown={onKeyDown}
          onInput={onInput}
          onInteractOutside={(event) => isEntered && event.preventDefault()}
          onOpenAutoFocus={onOpen}
          onCloseAutoFocus={onClose}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={classNames(
            'fixed left-1/2 z-40 flex -translate-x-1/2 flex-col gap-3 overflow-auto rounded-lg border border-line bg-raised p-4 shadow-float',
            wide
              ? 'top-[8vh] max-h-[84vh] w-[min(44rem,calc(100vw-2rem))]'
              : 'top-[18vh] max-h-[70vh] w-[min(28rem,calc(100vw-2rem))]',
          )}
        >
          <Primitive.Title className="pr-9 text-lg font-semibold wrap-anywhere">{title}</Primitive.Title>
          {description !== undefined && (
            <Primitive.Description className="text-sm text-ink-soft wrap-anywhere">{description}</Primitive.Description>
          )}
          {children}
          {isEntered && <LeaveQuestion />}
          {/* Last, so that opening focuses the dialog's content. */}
          {onOpenChange && (
            <Primitive.Close asChild>
              <IconButton label="Close" className="absolute top-3.5 right-3">
                <X className="size-4" />
              </IconButton>
            </Primitive.Close>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Asks before the Back button leaves the page, and with it the dialog. Closing and saving go on to other pages unasked. */
function LeaveQuestion() {
  const blocker = useLeaveQuestion(
    ({ action }) => action !== 'PUSH' && action !== 'REPLACE',
    () => true,
  );
  if (blocker.status !== 'blocked') return null;
  const buttons = (
    <span className="flex gap-1.5">
      <Button size="small" onClick={blocker.reset}>
        Stay
      </Button>
      <Button size="small" look="danger" onClick={blocker.proceed}>
        Leave
      </Button>
    </span>
  );
  return (
    <Notice tone="warn" actions={buttons}>
      What you have entered is not saved.
    </Notice>
  );
}

/** The focused element; for a menu item, which is about to disappear, the button that opened the menu. */
function findOpener(): Element | undefined {
  const focused = document.activeElement ?? undefined;
  const trigger = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return trigger == null ? focused : (document.getElementById(trigger) ?? undefined);
}

/** The opener; if it no longer exists, the page's `main`, so that Tab continues there. */
function focusTarget(opener: Element | undefined): HTMLElement | undefined {
  if (opener instanceof HTMLElement && opener.isConnected) return opener;
  const main = document.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  return main ?? undefined;
}
