import { ChevronRight } from 'lucide-react';
import { ScrollBox } from '../shared/ui/scroll-box.tsx';

/** The raw request or answer, collapsed. */
export function RawJson({ label, value }: { label: string; value: unknown }) {
  return (
    <details className="group/raw text-xs">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-ink-faint select-none hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open/raw:rotate-90" />
        {label}
      </summary>
      <ScrollBox label={label} className="mt-1 border-transparent bg-sunken p-2">
        <pre className="font-mono whitespace-pre-wrap wrap-anywhere">
          {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
        </pre>
      </ScrollBox>
    </details>
  );
}
