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

interface ToolChoicesProps {
  chosen: string[];
  onChange: (chosen: string[]) => void;
  error?: string | undefined;
}

/** Which tools that write may run in a run that nobody watches. */
export function ToolChoices({ chosen, onChange, error }: ToolChoicesProps) {
  const { orgId } = useSession();
  // The tools are the same for every document; their address names one.
  const documents = useQuery(documentListQuery(orgId, { skip: 0, limit: 1 })).data?.documents;
  const some = documents?.[0];
  const asked = useQuery({ ...toolsQuery({ orgId, documentId: some?.id ?? '' }), enabled: some !== undefined });
  const tools = asked.data?.tools.filter(({ effect }) => effect === 'read_write').map(({ name }) => name);
  const all = tools !== undefined && tools.length > 0 && tools.every((tool) => chosen.includes(tool));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Can make changes without approval</legend>
      <Notice tone="warn">
        Nobody watches while this runs. Tools that only read always run; of those that change something, the ones ticked
        here run at once. Questions to you are refused, and the agent goes on without an answer. Permission rules that
        deny still hold.
      </Notice>
      {asked.isError && <p className="text-sm text-bad">{messageOf(asked.error)}</p>}
      {documents?.length === 0 && (
        <p className="text-sm text-ink-soft">
          There are no documents yet.{' '}
          <Link to="/" className="text-accent underline underline-offset-2">
            Upload some
          </Link>{' '}
          and the tools can be chosen here.
        </p>
      )}
      {tools === undefined && !asked.isError && documents?.length !== 0 && <Skeleton className="h-24 w-full" />}
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
