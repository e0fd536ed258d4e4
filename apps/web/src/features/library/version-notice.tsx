import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';

interface VersionNoticeProps {
  shown: number;
  newest: number;
  /** The version in the address. */
  wanted: number | undefined;
  onNewest: () => void;
}

/** Shown if the version is not the current one, or not the requested one. */
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
