/** Shows the keyboard shortcut of a button; hidden from screen readers and on narrow screens. */
export function KeyCap({ name }: { name: string }) {
  return (
    <kbd aria-hidden className="ml-1 rounded-sm border border-current px-1 font-sans text-xs leading-4 max-md:hidden">
      {name}
    </kbd>
  );
}
