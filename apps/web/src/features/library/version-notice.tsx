import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';

interface VersionNoticeProps {
  shown: number;
  newest: number;
  /** The version in the URL. */
  requested: number | undefined;
  onNewest: () => void;
}

/** Shown if the version is not the current one, or not the requested one. */
export function VersionNotice({ shown, newest, requested, onNewest }: VersionNoticeProps) {
  if (requested !== undefined && requested !== shown) {
    return (
      <Notice tone="warn">
        There is no version {requested} in the list. This is the current one, version {shown}.
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
