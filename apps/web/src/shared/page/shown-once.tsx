import { CopyButton } from '../ui/copy-button.tsx';
import { Notice } from '../ui/notice.tsx';

interface ShownOnceProps {
  /** What the secret is and what it is for. */
  children: string;
  secret: string;
}

/** Shows a secret that the server returns only once. */
export function ShownOnce({ children, secret }: ShownOnceProps) {
  return (
    <Notice tone="good">
      <p>{children} It is shown only once: copy it now.</p>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        <code className="min-w-0 rounded-sm bg-raised px-1.5 py-1 font-mono text-xs wrap-anywhere">{secret}</code>
        <CopyButton text={secret} label="Copy" />
      </p>
    </Notice>
  );
}
