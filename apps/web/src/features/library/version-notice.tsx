import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';

interface VersionNoticeProps {
  shown: number;
  newest: number;
  /** What the address asked for. */
  wanted: number | undefined;
  onNewest: () => void;
}

/** Says so where the version shown is not the current one, or not the one that was asked for. */
export function VersionNotice({ shown, newest, wanted, onNewest }: VersionNoticeProps) {
  if (wanted !== undefined && wanted !== shown) {
    return (
      <Notice tone="warn">
        There is no version {wanted} in the list. This is the current one, version {shown}.
      </Notice>
    );
  }
  if (shown === newest) return null;
  return (
    <Notice
      actions={
        <Button size="small" onClick={onNewest}>
          Show the current one
        </Button>
      }
    >
      An earlier version. The current one is version {newest}.
    </Notice>
  );
}
