import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { useCopy } from './use-copy.ts';

/** Copies a text and confirms it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const copy = useCopy();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  return (
    <Button size="small" onClick={() => void copy(text).then(setCopied)}>
      <Icon aria-hidden className="size-3.5" />
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}
