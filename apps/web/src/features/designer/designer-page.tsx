import type { SchemaColumnsAnswer } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { schemaColumnsQuery } from '../../shared/api/schema-chat-api.ts';
import { schemaVersionsQuery } from '../../shared/api/schemas-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { BackLink } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { Designer } from './designer.tsx';

const route = getRouteApi('/schemas/$schemaId/design');

export function NewDesignPage() {
  const { orgId } = useSession();
  return <Designer key={orgId} stored={undefined} />;
}

export function DesignPage() {
  const { schemaId } = route.useParams();
  const { orgId } = useSession();
  return <StoredDesign key={`${orgId} ${schemaId}`} schemaId={schemaId} />;
}

function StoredDesign({ schemaId }: { schemaId: string }) {
  const { orgId } = useSession();
  // The design keeps the opened revision when others save new ones meanwhile.
  const [opened, setOpened] = useState<SchemaColumnsAnswer>();
  const versions = useQuery(schemaVersionsQuery(orgId, schemaId));
  const newest = versions.data?.schemas[0];
  const revid = newest?.schema_revid ?? '';
  const columns = useQuery({ ...schemaColumnsQuery(orgId, revid), enabled: newest !== undefined });
  const back = (
    <BackLink to="/schemas/$schemaId" params={{ schemaId }}>
      {newest?.name ?? 'Schema'}
    </BackLink>
  );
  if (opened === undefined && columns.data) setOpened(columns.data);
  if (opened) return <Designer stored={opened} />;
  const retry = () => void (versions.isError ? versions.refetch() : columns.refetch());
  return <LoadingPage title="Schema designer" back={back} error={versions.error ?? columns.error} retry={retry} />;
}
