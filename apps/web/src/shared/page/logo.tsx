/** A page with one highlighted line. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect x="5" y="3" width="22" height="26" rx="4" className="fill-accent" />
      <path d="M10 10h12M10 22h7" className="stroke-on-accent" strokeWidth="2.4" strokeLinecap="round" />
      <rect x="9" y="13.4" width="14" height="5.2" rx="1.4" fill="#ffcb2d" />
    </svg>
  );
}
