import type { RouteSimulation as Simulation } from '@docwright/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { simulateRoutes, type RouteBody } from '../../../shared/api/arrival/routes-api.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { ApiError, messageOf } from '../../../shared/http/api-error.ts';
import { StateMark } from '../../../shared/labels/state-mark.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { textLinkClass } from '../../../shared/ui/text-link.ts';
import { simulatedGroups, takenBy, type RouteNames, type SimulatedGroup } from './route-labels.ts';

interface RouteSimulatorProps {
  /** Routes that are not saved; undefined: those of the organization. */
  routes?: readonly RouteBody[] | undefined;
  /** The names of the routes in their order. */
  order: readonly string[];
  /** The route whose documents are counted in the first sentence. */
  subject?: string | undefined;
  names: RouteNames;
  disabled?: boolean;
}

interface Estimate {
  requests: number;
  spu_estimated: number;
}

const estimateOf = (error: unknown): Estimate | undefined =>
  error instanceof ApiError && error.code === 'confirm_required' ? (error.details as Estimate) : undefined;

const counts = [20, 100, 500];

/** Shows where the newest documents would go, before anything is saved. */
export function RouteSimulator({ routes, order, subject, names, disabled = false }: RouteSimulatorProps) {
  const { orgId } = useSession();
  const [count, setCount] = useState(100);
  const [shown, setShown] = useState<string>();
  // What is shown belongs to these routes alone.
  const key = JSON.stringify([routes, count]);
  const running = useMutation({
    mutationFn: (confirm: boolean) =>
      simulateRoutes(orgId, {
        max_documents: count,
        ...(routes && { routes: [...routes] }),
        ...(confirm && { confirm }),
      }),
    onMutate: () => setShown(key),
  });
  const isCurrent = shown === key;
  const estimate = estimateOf(running.error);
  const simulation = isCurrent ? running.data : undefined;
  return (
    <div className="flex flex-col gap-3 rounded-md bg-sunken p-3">
      <div className="flex flex-wrap items-end gap-2">
        <SelectField
          label="Try it on"
          className="w-64"
          value={String(count)}
          options={counts.map((each) => ({ value: String(each), label: `the newest ${each} documents` }))}
          onChange={(value) => setCount(Number(value))}
        />
        <Button disabled={disabled || running.isPending} onClick={() => running.mutate(false)}>
          <FlaskConical aria-hidden className="size-4" /> {running.isPending ? 'Trying…' : 'Show where they would go'}
        </Button>
      </div>
      <p className="text-xs text-ink-soft">
        Nothing is written. Documents that were routed before stay where they are.
      </p>
      {isCurrent && estimate && (
        <Notice
          tone="warn"
          actions={
            <Button size="small" disabled={running.isPending} onClick={() => running.mutate(true)}>
              Ask the model
            </Button>
          }
        >
          A model would be asked about {counted(estimate.requests, 'document')}, for about{' '}
          {estimate.spu_estimated.toLocaleString()} SPU.
        </Notice>
      )}
      {isCurrent && running.isError && !estimate && <Notice tone="bad">{messageOf(running.error)}</Notice>}
      {simulation && <Outcome simulation={simulation} order={order} subject={subject} names={names} />}
    </div>
  );
}

interface OutcomeProps extends Pick<RouteSimulatorProps, 'order' | 'subject' | 'names'> {
  simulation: Simulation;
}

function Outcome({ simulation, order, subject, names }: OutcomeProps) {
  const { documents, confusion } = simulation;
  if (documents.length === 0) return <p className="text-sm">There are no documents to try it on yet.</p>;
  const taken =
    subject === undefined ? documents.filter(({ state }) => state === 'routed').length : takenBy(simulation, subject);
  return (
    <output className="flex flex-col gap-2">
      <p className="text-sm">
        <strong>{taken.toLocaleString()}</strong> of {counted(documents.length, 'document')}{' '}
        {subject === undefined ? 'would have a route.' : 'would take this route.'}
      </p>
      <ul className="flex flex-col gap-1">
        {simulatedGroups(simulation, order).map((group) => (
          <Group key={group.label} group={group} />
        ))}
      </ul>
      <details>
        <summary className="cursor-pointer rounded-sm text-sm font-medium">Compared with the tags they have</summary>
        <table className="mt-2 w-full text-sm" aria-label="Tags they have and tags they would get">
          <thead>
            <tr className="text-left text-xs text-ink-soft">
              <th scope="col" className="py-1 pr-3 font-medium">
                Has
              </th>
              <th scope="col" className="py-1 pr-3 font-medium">
                Would get
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                Documents
              </th>
            </tr>
          </thead>
          <tbody>
            {confusion.map(({ tag_ids, routed_tag_ids, count }) => (
              <tr key={JSON.stringify([tag_ids, routed_tag_ids])} className="border-t border-line">
                <td className="py-1 pr-3 wrap-anywhere">{tagsLabel(tag_ids, names)}</td>
                <td className="py-1 pr-3 wrap-anywhere">{tagsLabel(routed_tag_ids, names)}</td>
                <td className="py-1 text-right tabular-nums">{count.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </output>
  );
}

const tagsLabel = (ids: readonly string[], names: RouteNames) =>
  ids.length === 0 ? 'no tag' : ids.map(names.tag).join(', ');

/** Larger groups are folded. */
const shownAtOnce = 5;

function Group({ group: { label, tone, documents } }: { group: SimulatedGroup }) {
  return (
    <li>
      <details className="group" open={documents.length <= shownAtOnce}>
        <summary className="flex cursor-pointer items-center gap-2 rounded-sm py-0.5 text-sm">
          <ChevronRight aria-hidden className="size-3.5 shrink-0 transition-transform group-open:rotate-90" />
          <StateMark label={label} tone={tone} />
          <span className="ml-auto tabular-nums">{documents.length.toLocaleString()}</span>
        </summary>
        <ul className="flex max-h-72 flex-col gap-1 overflow-auto border-l border-line py-1 pl-3 text-sm">
          {documents.map(({ document_id, document_name, why, candidates }) => (
            <li key={document_id} className="wrap-anywhere">
              <Link
                to="/documents/$documentId"
                params={{ documentId: document_id }}
                target="_blank"
                className={textLinkClass}
              >
                {document_name}
              </Link>
              <span className="block text-xs text-ink-soft">
                {why}
                {candidates !== undefined && ` Might be: ${candidates.join(', ')}.`}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
