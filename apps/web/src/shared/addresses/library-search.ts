/** Query string of a list. */
export interface LibrarySearch {
  q?: string;
  /** From 1. */
  page?: number;
}

/** Query string of a schema or prompt: the version shown, and the version it is compared with. */
export interface VersionSearch {
  version?: number;
  compare?: number;
}

export const pageSize = 20;

function positive(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 ? number : undefined;
}

/** Reads a query string that a user may have typed; invalid values are dropped. */
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

/** Query string of the page for a new prompt. */
interface NewPromptSearch {
  /** Revision id of the schema that is preselected. */
  schema?: string;
}

export const readNewPromptSearch = ({ schema }: Record<string, unknown>): NewPromptSearch =>
  typeof schema === 'string' && /^[0-9a-f]{24}$/u.test(schema) ? { schema } : {};

/** Query string of the page that tries a change of a prompt. */
interface TryChangeSearch {
  /** Id of its latest evaluation. */
  evaluation?: string;
}

export const readTryChangeSearch = ({ evaluation }: Record<string, unknown>): TryChangeSearch =>
  typeof evaluation === 'string' && /^[0-9a-f]{24}$/u.test(evaluation) ? { evaluation } : {};
