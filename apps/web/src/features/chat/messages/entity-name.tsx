import type { Mention } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { promptQuery, schemaQuery, tagQuery } from '../../../shared/api/library-api.ts';
import { useSession } from '../../../shared/session/session.tsx';

/** What a thing is called, with the version of a revision. */
export function ThingName({ kind, id }: { kind: Mention['type']; id: string }) {
  const { orgId } = useSession();
  const schema = useQuery({ ...schemaQuery(orgId, id), enabled: kind === 'schema' }).data;
  const prompt = useQuery({ ...promptQuery(orgId, id), enabled: kind === 'prompt' }).data;
  const tag = useQuery({ ...tagQuery(orgId, id), enabled: kind === 'tag' }).data;
  if (schema) return `${schema.name} v${schema.schema_version}`;
  if (prompt) return `${prompt.name} v${prompt.prompt_version}`;
  return tag?.name ?? `an earlier ${kind}`;
}
