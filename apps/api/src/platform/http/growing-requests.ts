/** Requests that remove, stop, undo or only read, and the administration of an organization. */
const needsNoRoom = [
  /\/(?:undo|stop|reject|estimate|simulate|search|validate|matching|next_times|discover|test|from-columns)$/u,
  /^\/v0\/orgs\/:org_id(?:\/(?:members|access_tokens|budget|llm|approvals|documents\/bulk)(?:\/.*)?)?$/u,
];

/**
 * Whether a request can make an organization store more, by its route. Such a request is refused where the organization
 * stores all that it can.
 */
export function mayStoreMore(method: string, route: string): boolean {
  if (!['POST', 'PUT', 'PATCH'].includes(method)) return false;
  const isBelowOrganization = route.startsWith('/v0/orgs/:org_id') || route.startsWith('/api/');
  return isBelowOrganization && !needsNoRoom.some((pattern) => pattern.test(route));
}
