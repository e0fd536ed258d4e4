import { formatMoment, fullMoment } from '../formats/format-document.ts';
import { useMemberName } from './use-member-name.ts';

/** When an object was written, and by whom. */
export function Written({ at, by }: { at: string; by: string }) {
  const name = useMemberName()(by);
  return (
    <span>
      <time dateTime={at} title={fullMoment(at)}>
        {formatMoment(at)}
      </time>
      {name !== '' && ` · ${name}`}
    </span>
  );
}
