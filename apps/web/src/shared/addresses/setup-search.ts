/** Query string of the page for a new setup. */
interface NewSetupSearch {
  /** Id of the source that is preselected. */
  source?: string;
}

/** Reads a query string that a user may have typed; invalid values are dropped. */
export function readNewSetupSearch({ source }: Record<string, unknown>): NewSetupSearch {
  return typeof source === 'string' && /^[0-9a-f]{24}$/u.test(source) ? { source } : {};
}
