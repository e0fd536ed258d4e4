import type { Route } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { changeRoute, createRoute, routesKey, routesQuery } from '../../../shared/api/arrival/routes-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { changedParts } from '../../../shared/http/changed-parts.ts';
import { asSeen, seenState } from '../../../shared/http/seen-state.ts';
import { panelClass } from '../../../shared/page/page.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { focusOnMount } from '../../../shared/ui/browser/focus-on-mount.ts';
import { UnsavedGuard } from '../../../shared/ui/dialogs/unsaved-guard.tsx';
import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import {
  draftProblems,
  isUncertain,
  routeBody,
  routeDraft,
  routesWith,
  type RouteDraft,
  type RoutePartProps,
} from './route-draft.ts';
import type { RouteNames } from './route-labels.ts';
import { RouteSimulator } from './route-simulator.tsx';
import { ThenFields } from './then-fields.tsx';
import { WhenFields } from './when-fields.tsx';
import { useChange } from '../../../shared/page/use-change.ts';

interface RouteFormProps {
  /** Absent for a new route. */
  route?: Route | undefined;
  /** All routes: a document can be taken by one before this. */
  routes: readonly Route[];
  names: RouteNames;
  onDone: () => void;
}

/** Makes or changes a route, and shows where existing documents would go before it is saved. */
export function RouteForm({ route, routes, names, onDone }: RouteFormProps) {
  const { orgId } = useSession();
  const queries = useQueryClient();
  const [initial] = useState(() => routeDraft(route));
  const [opened] = useState(() => routeBody(initial, route));
  const [seen] = useState(() => seenState<object>(opened));
  const [draft, setDraft] = useState(initial);
  const onChange = (part: Partial<RouteDraft>) => setDraft((present) => ({ ...present, ...part }));
  const problems = draftProblems(draft);
  const isReady = draft.name.trim() !== '' && Object.keys(problems).length === 0;
  const body = routeBody(draft, route);
  const tried = routesWith(routes, body, route?.id);
  const save = async () => {
    if (route === undefined) return await createRoute(orgId, body);
    const change = changedParts(body, opened);
    const now = (await queries.fetchQuery({ ...routesQuery(orgId), staleTime: 0 })).find(({ id }) => id === route.id);
    if (now !== undefined) seen.check(change, routeBody(routeDraft(now), now));
    return await changeRoute(orgId, route.id, asSeen(change, now));
  };
  const saving = useChange(save, {
    refreshes: [routesKey(orgId)],
    says: ({ name }) => (route === undefined ? `“${name}” is added as the last route.` : 'Saved.'),
    onDone,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const part = { draft, problems, onChange };
  return (
    <form
      onSubmit={submit}
      aria-label={route === undefined ? 'New route' : `Edit ${route.name}`}
      className={`${panelClass} flex flex-col gap-4 p-3`}
    >
      <UnsavedGuard dirty={!saving.isSuccess && JSON.stringify(draft) !== JSON.stringify(initial)} />
      <TextField
        label="Name"
        required
        ref={focusOnMount}
        maxLength={200}
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <WhenFields {...part} />
      {isUncertain(draft) && <CertaintyFields {...part} />}
      <ThenFields {...part} />
      <CheckField
        label="Try the next routes as well"
        checked={draft.goesOn}
        onChange={(goesOn) => onChange({ goesOn })}
      >
        What they give adds up. Without this, the first route that fits ends it.
      </CheckField>
      <RouteSimulator
        routes={tried.map((each) =>
          each === body ? { ...body, name: body.name || 'This route', enabled: true } : each,
        )}
        order={tried.map(({ name }) => name || 'This route')}
        subject={body.name || 'This route'}
        names={names}
        disabled={Object.keys(problems).length > 0}
      />
      {saving.isError && <Notice tone="bad">{messageOf(saving.error)}</Notice>}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" disabled={saving.isPending || !isReady}>
          {route === undefined ? 'Add' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

/** How sure the model or the words must be. */
function CertaintyFields({ draft, problems, onChange }: RoutePartProps) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-semibold">How sure</legend>
      <CheckField label="Take documents without asking" checked={draft.trust} onChange={(trust) => onChange({ trust })}>
        Without this, a user decides in Review until 30 of their decisions show how sure it is, and below this
        certainty.
      </CheckField>
      {!draft.trust && (
        <TextField
          label="Certainty in %"
          type="number"
          min={50}
          max={100}
          step="any"
          className="w-44"
          value={draft.confidence}
          error={problems.confidence}
          onChange={(event) => onChange({ confidence: event.target.value })}
        />
      )}
    </fieldset>
  );
}
