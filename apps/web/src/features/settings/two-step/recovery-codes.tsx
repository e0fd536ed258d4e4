import { Button } from '../../../shared/ui/button.tsx';
import { CopyButton } from '../../../shared/ui/copy-button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';

/** Shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Notice tone="good" className="max-w-xl">
      <p>Keep these recovery codes away from your phone. Each signs you in once. They are shown this once.</p>
      <ul aria-label="Recovery codes" className="my-2 grid w-fit grid-cols-2 gap-x-6 gap-y-1 font-mono text-xs">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label="Copy" />
        <Button size="small" onClick={onDone}>
          I have kept them
        </Button>
      </p>
    </Notice>
  );
}
