/** What the address of a new setup holds: a source to begin with. */
interface NewSetupSearch {
  source?: string;
}

/** Reads an address that anybody may have typed: what is no id is left out. */
export function readNewSetupSearch({ source }: Record<string, unknown>): NewSetupSearch {
  return typeof source === 'string' && /^[0-9a-f]{24}$/u.test(source) ? { source } : {};
}
