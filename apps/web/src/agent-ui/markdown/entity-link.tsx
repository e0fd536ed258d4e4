import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { promptQuery, schemaQuery, tagQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { useMediaQuery } from '../../shared/ui/browser/use-media-query.ts';
import { pendingReview } from '../../shared/labels/review-mark.tsx';
import type { EntityAddress } from './entity-address.ts';

/** Links to an entity mentioned in an answer; without a link if it does not exist. */
export function EntityLink({ address, children }: { address: EntityAddress; children: ReactNode }) {
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

/** A tag has no page of its own: links to the documents with the tag. */
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

/** In narrow windows, switches from the conversation to the page. */
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

const maxWaitMs = 3000;
const pollMs = 50;

/** Scrolls to a page of the open document once the viewer has rendered it. */
function showPage(pageNumber: number): void {
  const deadline = Date.now() + maxWaitMs;
  const tryScroll = () => {
    const page = document.querySelector(`[data-page="${pageNumber}"]`);
    if (page && page.getClientRects().length > 0) page.scrollIntoView({ block: 'start' });
    else if (Date.now() < deadline) setTimeout(tryScroll, pollMs);
  };
  tryScroll();
}
