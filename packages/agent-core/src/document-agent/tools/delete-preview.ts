import type { Preview } from '@docwright/contract';

/** As many as a person reads before deciding; the total says how many there are. */
const mostDependents = 50;

type Dependent = Extract<Preview, { kind: 'delete' }>['dependents'][number];

/** What else depends on the thing that would go, the first of them by name. */
export function deletePreview(name: string, dependents: readonly Dependent[], total = dependents.length): Preview {
  return { kind: 'delete', name, dependents: dependents.slice(0, mostDependents), dependent_count: total };
}
