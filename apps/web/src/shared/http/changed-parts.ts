/**
 * The parts of a form's request that the user has changed. The others are left out, so that what somebody else saved since the
 * form was opened stays.
 *
 * @example changedParts({ title: 'Pay', due_at: null }, { title: 'Pay', due_at: '2026-03-01' }) // { due_at: null }
 */
export function changedParts<Body extends object>(body: Body, opened: object): Partial<Body> {
  const before = new Map(Object.entries(opened).map(([key, value]) => [key, JSON.stringify(value)]));
  const changed = Object.entries(body).filter(([key, value]) => JSON.stringify(value) !== before.get(key));
  return Object.fromEntries(changed) as Partial<Body>;
}
