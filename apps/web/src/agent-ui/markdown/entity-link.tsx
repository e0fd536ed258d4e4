import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { promptQuery, schemaQuery, tagQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { pendingReview } from '../../shared/labels/pending-review.tsx';
import type { ThingAddress } from './entity-address.ts';

/** Leads to the thing that an answer speaks of; where there is none, its words stay and say so. */
export function ThingLink({ address, children }: { address: ThingAddress; children: ReactNode }) {
  switch (address.kind) {
    case 'schema':
      return <SchemaLink revid={address.id}>{children}</SchemaLink>;
    case 'prompt':
      return <PromptLink revid={address.id}>{children}</PromptLink>;
    case 'tag':
      return <TagLink id={address.id}>{children}</TagLink>;
    case 'page':
      return <PageLink page={address.page}>{children}</PageLink>;
  }
}

function SchemaLink({ revid, children }: { revid: string; children: ReactNode }) {
  const { orgId } = useSession();
  const schema = useQuery(schemaQuery(orgId, revid));
  if (!schema.data) return <Unknown failed={schema.isError}>{children}</Unknown>;
  const { schema_id, schema_version, name } = schema.data;
  return (
    <Link
      to="/schemas/$schemaId"
      params={{ schemaId: schema_id }}
      search={{ version: schema_version }}
      title={titleOf('Schema', name, schema_version, schema.data.review)}
    >
      {children}
    </Link>
  );
}

function titleOf(kind: string, name: string, version: number, review: 'pending' | undefined): string {
  return `${kind} “${name}”, version ${version}${review === 'pending' ? ` (${pendingReview})` : ''}`;
}

function PromptLink({ revid, children }: { revid: string; children: ReactNode }) {
  const { orgId } = useSession();
  const prompt = useQuery(promptQuery(orgId, revid));
  if (!prompt.data) return <Unknown failed={prompt.isError}>{children}</Unknown>;
  const { prompt_id, prompt_version, name } = prompt.data;
  return (
    <Link
      to="/prompts/$promptId"
      params={{ promptId: prompt_id }}
      search={{ version: prompt_version }}
      title={titleOf('Prompt', name, prompt_version, prompt.data.review)}
    >
      {children}
    </Link>
  );
}

/** A tag has no page of its own: it leads to the documents that carry it. */
function TagLink({ id, children }: { id: string; children: ReactNode }) {
  const { orgId } = useSession();
  const tag = useQuery(tagQuery(orgId, id));
  if (!tag.data) return <Unknown failed={tag.isError}>{children}</Unknown>;
  return (
    <Link to="/" search={{ tag: id }} title={`Documents with the tag “${tag.data.name}”`}>
      {children}
    </Link>
  );
}

/** Where there is no room beside the conversation, the page comes in front of it. */
function PageLink({ page, children }: { page: number; children: ReactNode }) {
  const wide = useMediaQuery('(min-width: 768px)');
  return (
    <Link
      from="/documents/$documentId"
      search={(present) => (wide ? present : { ...present, tab: 'page' as const })}
      replace={wide}
      onClick={() => showPage(page)}
    >
      {children}
    </Link>
  );
}

function Unknown({ failed, children }: { failed: boolean; children: ReactNode }) {
  return <span title={failed ? 'It does not exist or was deleted.' : undefined}>{children}</span>;
}

const waitAtMostMs = 3000;
const pollMs = 50;

/** Brings a page of the open document into sight, once the viewer has it. */
function showPage(pageNumber: number): void {
  const until = Date.now() + waitAtMostMs;
  const look = () => {
    const page = document.querySelector(`[data-page="${pageNumber}"]`);
    if (page && page.getClientRects().length > 0) page.scrollIntoView({ block: 'start' });
    else if (Date.now() < until) setTimeout(look, pollMs);
  };
  look();
}
