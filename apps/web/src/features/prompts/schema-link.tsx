import type { Prompt } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { schemaQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';

/** The name of a prompt's schema; undefined while it loads and for prompts without one. */
export function useSchemaName(revid: string | undefined): string | undefined {
  const { orgId } = useSession();
  return useQuery({ ...schemaQuery(orgId, revid ?? ''), enabled: revid !== undefined }).data?.name;
}

/** A link to the schema version of a prompt. */
export function SchemaLink({ prompt }: { prompt: Prompt }) {
  const name = useSchemaName(prompt.schema_revid);
  if (prompt.schema_id === undefined) return <span className="text-ink-soft">No schema</span>;
  const version = prompt.schema_version;
  return (
    <Link
      to="/schemas/$schemaId"
      params={{ schemaId: prompt.schema_id }}
      search={version === undefined ? {} : { version }}
      className={`${textLinkClass} relative wrap-anywhere`}
    >
      {name ?? 'Schema'}
      {version !== undefined && `, version ${version}`}
    </Link>
  );
}
