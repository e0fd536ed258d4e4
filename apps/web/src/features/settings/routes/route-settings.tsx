import type { Route } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Signpost } from 'lucide-react';
import { useState } from 'react';
import { orderRoutes, routesKey, routesQuery } from '../../../shared/api/arrival/routes-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { PageSection } from '../../../shared/page/page-section.tsx';
import { panelClass } from '../../../shared/page/page.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { focusOnMount } from '../../../shared/ui/browser/focus-on-mount.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';
import { RouteCard } from './route-card.tsx';
import { movedIds } from './route-draft.ts';
import { RouteForm } from './route-form.tsx';
import { RouteSimulator } from './route-simulator.tsx';
import { useRouteNames } from './use-route-names.ts';

/** The routes of new documents, in their order. */
export function RouteSettings() {
  const { orgId, organization } = useSession();
  const isAdmin = organization.role === 'admin';
  const queryClient = useQueryClient();
  const toast = useToast();
  // Programs and other admins change them too.
  const list = useQuery({ ...routesQuery(orgId), staleTime: 0 });
  const names = useRouteNames();
  const [editing, setEditing] = useState<Route | 'new'>();
  /** The route whose form has closed. */
  const [left, setLeft] = useState<string>();
  const routes = list.data;
  const moving = useMutation({
    mutationFn: ({ id, by }: { id: string; by: -1 | 1 }) =>
      orderRoutes(
        orgId,
        movedIds(
          (routes ?? []).map((route) => route.id),
          id,
          by,
        ),
      ),
    onSuccess: (ordered) => queryClient.setQueryData(routesQuery(orgId).queryKey, ordered),
    onError: async (error) => {
      toast(messageOf(error), 'bad');
      // Another admin may have added or deleted one.
      await queryClient.invalidateQueries({ queryKey: routesKey(orgId) });
    },
  });
  const add = (
    <Button look="primary" ref={left === 'new' ? focusOnMount : undefined} onClick={() => setEditing('new')}>
      Add a route
    </Button>
  );
  const form = (route?: Route) => (
    <RouteForm
      key={route?.id ?? 'new'}
      route={route}
      routes={routes ?? []}
      names={names}
      onDone={() => {
        setEditing(undefined);
        setLeft(route?.id ?? 'new');
      }}
    />
  );
  return (
    <PageSection
      title="Routes"
      note="What a document gets when its text is ready. Routes are tried in this order; the first that fits ends it."
      actions={isAdmin && editing === undefined && routes && routes.length > 0 ? add : undefined}
    >
      {!isAdmin && <Notice>Admins manage the routes of the organization.</Notice>}
      {list.error !== null && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      {routes === undefined && list.error === null && <Skeleton className="h-16" />}
      {routes?.length === 0 && editing === undefined && (
        <div className={panelClass}>
          <EmptyState icon={Signpost} title="No routes yet" {...(isAdmin && { actions: add })}>
            A route tags new documents by their name, their words or where they come from, runs prompts on them, splits
            mixed scans, or keeps documents from models.
          </EmptyState>
        </div>
      )}
      {routes && routes.length > 0 && (
        <ol className="flex flex-col gap-3">
          {routes.map((route, at) =>
            editing !== 'new' && editing?.id === route.id ? (
              <li key={route.id}>{form(route)}</li>
            ) : (
              <RouteCard
                key={route.id}
                route={route}
                names={names}
                at={at}
                count={routes.length}
                onMove={isAdmin ? (by) => moving.mutate({ id: route.id, by }) : undefined}
                isMoving={moving.isPending}
                onEdit={() => setEditing(route)}
                takesFocus={left === route.id}
              />
            ),
          )}
        </ol>
      )}
      {editing === 'new' && form()}
      {routes && routes.length > 0 && editing === undefined && (
        <RouteSimulator order={routes.map(({ name }) => name)} names={names} />
      )}
    </PageSection>
  );
}
