import type { Extraction } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { extractionsQuery, readExtraction } from '../../../shared/api/extractions-api.ts';
import { ApiError, messageOf } from '../../../shared/http/api-error.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';
import { valueChanges } from './value-changes.ts';

const maxNamed = 5;

/**
 * Shows why a write of a result failed. If somebody else has changed the result since the user saw it, the page loads it again and
 * the message names the values that differ.
 */
export function useWriteError(seen: Extraction): (error: Error) => Promise<void> {
  const { orgId } = useSession();
  const toast = useToast();
  const queries = useQueryClient();
  return async (failure) => {
    if (!(failure instanceof ApiError) || failure.code !== 'version_conflict') return toast(messageOf(failure), 'bad');
    const { document_id, prompt_revid } = seen;
    const [now] = await Promise.all([
      readExtraction(orgId, document_id, prompt_revid).catch(() => undefined),
      queries.invalidateQueries({ queryKey: extractionsQuery(orgId, document_id).queryKey }),
    ]);
    const labels = now === undefined ? [] : valueChanges(seen.result, now.result).map(({ label }) => label);
    const named = labels.slice(0, maxNamed).join(', ');
    const more = labels.length > maxNamed ? ` and ${labels.length - maxNamed} more` : '';
    const what = labels.length === 0 ? '' : `: ${named}${more}`;
    toast(
      `Somebody else has changed this result since you saw it${what}. Nothing was replaced. Look, then try again.`,
      'bad',
    );
  };
}
