import { useQuery } from '@tanstack/react-query';
import { toolsQuery } from './chat-api.ts';
import { documentListQuery } from './documents-api.ts';

/** The names of the agent's tools that write. They are the same for every document; their URL names one. */
export function useWritingTools(orgId: string) {
  const documents = useQuery(documentListQuery(orgId, { skip: 0, limit: 1 })).data?.documents;
  const [some] = documents ?? [];
  const query = useQuery({ ...toolsQuery({ orgId, documentId: some?.id ?? '' }), enabled: some !== undefined });
  const tools = query.data?.tools.filter(({ effect }) => effect === 'read_write').map(({ name }) => name);
  return { documents, tools, error: query.error };
}
