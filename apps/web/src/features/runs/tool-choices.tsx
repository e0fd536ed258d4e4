import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toolsQuery } from '../../shared/api/chat-api.ts';
import { documentListQuery } from '../../shared/api/documents-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { callLabel } from '../../agent-ui/call-labels.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';

interface ToolChoicesProps {
  chosen: string[];
  onChange: (chosen: string[]) => void;
  error?: string | undefined;
}

/** Chooses the writing tools that an unattended run can use without approval. */
export function ToolChoices({ chosen, onChange, error }: ToolChoicesProps) {
  const { orgId } = useSession();
  const { documents, tools, error: failure } = useWritingTools(orgId);
  const all = tools !== undefined && tools.length > 0 && tools.every((tool) => chosen.includes(tool));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Can make changes without approval</legend>
      <Notice tone="warn">
        Nobody watches while this runs. Read-only tools always run; the tools ticked here make changes at once. The
        agent continues without answers to its questions. Permission rules that deny still apply.
      </Notice>
      {failure !== null && <p className="text-sm text-bad">{messageOf(failure)}</p>}
      {documents?.length === 0 && (
        <p className="text-sm text-ink-soft">
          There are no documents yet.{' '}
          <Link to="/" className={textLinkClass}>
            Upload some
          </Link>{' '}
          and the tools can be chosen here.
        </p>
      )}
      {tools === undefined && failure === null && documents?.length !== 0 && <Skeleton className="h-24 w-full" />}
      {tools !== undefined && (
        <>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-3 gap-y-0.5">
            {tools.map((tool) => (
              <label
                key={tool}
                className="flex min-h-7 cursor-pointer items-center gap-2 rounded-sm px-1 text-sm hover:bg-hover"
              >
                <input
                  type="checkbox"
                  checked={chosen.includes(tool)}
                  onChange={(event) =>
                    onChange(event.target.checked ? [...chosen, tool] : chosen.filter((each) => each !== tool))
                  }
                  className="accent-accent"
                />
                {callLabel(tool)}
              </label>
            ))}
          </div>
          <Button size="small" className="self-start" onClick={() => onChange(all ? [] : tools)}>
            {all ? 'None of them' : 'All of them'}
          </Button>
        </>
      )}
      {error !== undefined && <p className="text-xs text-bad">{error}</p>}
    </fieldset>
  );
}

/** The names of the agent's tools that write. They are the same for every document; their URL names one. */
function useWritingTools(orgId: string) {
  const documents = useQuery(documentListQuery(orgId, { skip: 0, limit: 1 })).data?.documents;
  const [some] = documents ?? [];
  const query = useQuery({ ...toolsQuery({ orgId, documentId: some?.id ?? '' }), enabled: some !== undefined });
  const tools = query.data?.tools.filter(({ effect }) => effect === 'read_write').map(({ name }) => name);
  return { documents, tools, error: query.error };
}
