import type { Document, Route } from '@docwright/contract';

/** A decision that one key makes. */
export interface RoutingChoice {
  key: string;
  /** Null: no route. */
  routeId: string | null;
  label: string;
  /** Why it might be right. */
  why?: string;
  /** From 0 to 1. */
  confidence?: number;
}

const maxKeys = 9;
const deletedRoute = 'A deleted route';

/** The decisions about a document: its candidates, the likeliest first, or to leave a mixed scan whole; then no route. */
export function choicesOf({ routing }: Pick<Document, 'routing'>, routes: readonly Route[]): RoutingChoice[] {
  if (routing === undefined) return [];
  const nameOf = (id: string) => routes.find((route) => route.id === id)?.name ?? deletedRoute;
  const noRoute = { key: '0', routeId: null, label: 'No route' };
  if (routing.state === 'waiting_split') {
    const whole = routing.route_ids.filter((id) => routes.some((route) => route.id === id));
    return [
      ...whole.slice(0, maxKeys).map((routeId, index) => ({
        key: String(index + 1),
        routeId,
        label: `Leave it whole, as ${nameOf(routeId)}`,
      })),
      { ...noRoute, label: 'Leave it whole, without a route' },
    ];
  }
  const candidates = (routing.candidates ?? []).filter(({ route_id }) => routes.some(({ id }) => id === route_id));
  return [
    ...candidates.slice(0, maxKeys).map(({ route_id, why, confidence }, index) => ({
      key: String(index + 1),
      routeId: route_id,
      label: nameOf(route_id),
      why,
      ...(confidence !== undefined && { confidence }),
    })),
    noRoute,
  ];
}

/** The routes that no key takes. */
export function routesBeside(choices: readonly RoutingChoice[], routes: readonly Route[]): Route[] {
  const offered = new Set(choices.map(({ routeId }) => routeId));
  return routes.filter(({ id }) => !offered.has(id));
}
