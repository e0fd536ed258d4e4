import { ChevronRight } from 'lucide-react';

/** Exactly what was sent or answered, for those who want to see it. */
export function RawJson({ label, value }: { label: string; value: unknown }) {
  return (
    <details className="group/raw text-xs">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-ink-faint select-none hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open/raw:rotate-90" />
        {label}
      </summary>
      <pre className="mt-1 max-h-72 overflow-auto rounded-md bg-sunken p-2 font-mono whitespace-pre-wrap wrap-anywhere">
        {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      </pre>
    </details>
  );
}
