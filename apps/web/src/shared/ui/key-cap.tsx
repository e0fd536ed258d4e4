/** A key that does what stands beside it; for those who see the page, and only where there is a keyboard to expect. */
export function KeyCap({ name }: { name: string }) {
  return (
    <kbd aria-hidden className="ml-1 rounded-sm border border-current px-1 font-sans text-xs leading-4 max-md:hidden">
      {name}
    </kbd>
  );
}
