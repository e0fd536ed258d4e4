import type { Extraction } from '@docwright/contract';
import { Notice } from '../../shared/ui/notice.tsx';

const maxShown = 5;

/** What a result is missing or has twice, above its values. */
export function ExtractionIssues({ issues, is_complete }: Pick<Extraction, 'issues' | 'is_complete'>) {
  if (issues.length === 0) return null;
  const more = issues.length - maxShown;
  return (
    <Notice tone={is_complete ? 'warn' : 'bad'} className="m-3">
      <strong className="block font-semibold">
        {is_complete ? 'Check these values' : 'This result is incomplete'}
      </strong>
      <ul>
        {issues.slice(0, maxShown).map(({ code, path, message }) => (
          <li key={`${code} ${path} ${message}`}>
            {path !== '' && <span className="font-medium">{path}: </span>}
            {message}
          </li>
        ))}
      </ul>
      {more > 0 && `and ${more} more`}
    </Notice>
  );
}
