import type { Extraction } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { newestPromptQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';

interface EarlierVersionProps {
  extraction: Pick<Extraction, 'prompt_id' | 'prompt_revid'>;
  disabled: boolean;
  /** Undefined for users who cannot write. */
  onRun: ((promptRevid: string) => void) | undefined;
}

/** Says that the shown values are of an earlier version of the prompt, or of its schema: running again finds no new field. */
export function EarlierVersion({ extraction, disabled, onRun }: EarlierVersionProps) {
  const { orgId } = useSession();
  const newest = useQuery(newestPromptQuery(orgId, extraction.prompt_id)).data;
  if (!newest) return null;
  const { prompt_id, prompt_revid, prompt_version, name, schema_version, newest_schema_version } = newest;
  if (prompt_revid !== extraction.prompt_revid) {
    return (
      <Notice
        className="m-3 mb-0"
        actions={
          onRun && (
            <Button size="small" disabled={disabled} onClick={() => onRun(prompt_revid)}>
              Run version {prompt_version}
            </Button>
          )
        }
      >
        These values are by an earlier version of “{name}”. “Run again” uses that version, too.
      </Notice>
    );
  }
  if (newest_schema_version === undefined) return null;
  return (
    <Notice
      tone="warn"
      className="m-3 mb-0"
      actions={
        <Link
          to="/prompts/$promptId"
          params={{ promptId: prompt_id }}
          className={linkButtonClass('secondary', 'small')}
        >
          Open the prompt
        </Link>
      }
    >
      “{name}” uses version {schema_version} of its schema. “Run again” does not find what version{' '}
      {newest_schema_version} has added; move the prompt first.
    </Notice>
  );
}
