/** What the address of a list holds. */
export interface LibrarySearch {
  q?: string;
  /** From 1. */
  page?: number;
}

/** What the address of a thing with versions holds: the one shown, and the one it is compared with. */
export interface VersionSearch {
  version?: number;
  compare?: number;
}

export const pageSize = 20;

function positive(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 ? number : undefined;
}

/** Reads an address that anybody may have typed: what makes no sense is left out. */
export function readLibrarySearch(search: Record<string, unknown>): LibrarySearch {
  const page = positive(search['page']);
  const q = search['q'];
  return {
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' ? { q: String(q) } : {}),
    ...(page !== undefined && page > 1 ? { page } : {}),
  };
}

export function readVersionSearch(search: Record<string, unknown>): VersionSearch {
  const version = positive(search['version']);
  const compare = positive(search['compare']);
  return { ...(version === undefined ? {} : { version }), ...(compare === undefined ? {} : { compare }) };
}

/** What the address of a new prompt holds: the schema it starts with. */
interface NewPromptSearch {
  schema?: string;
}

export const readNewPromptSearch = ({ schema }: Record<string, unknown>): NewPromptSearch =>
  typeof schema === 'string' && /^[0-9a-f]{24}$/u.test(schema) ? { schema } : {};

/** What the address of a change that is tried holds: the newest measurement of it. */
interface TriedSearch {
  evaluation?: string;
}

export const readTriedSearch = ({ evaluation }: Record<string, unknown>): TriedSearch =>
  typeof evaluation === 'string' && /^[0-9a-f]{24}$/u.test(evaluation) ? { evaluation } : {};
