export const taskViews = ['open', 'done', 'all'] as const;
export type TaskView = (typeof taskViews)[number];

export interface TaskSearch {
  /** Without it, open tasks. */
  view?: 'done' | 'all';
  page?: number;
}

export function readTaskSearch(search: Record<string, unknown>): TaskSearch {
  const { view, page } = search;
  return {
    ...(view === 'done' || view === 'all' ? { view } : {}),
    ...(Number.isInteger(page) && Number(page) > 1 ? { page: Number(page) } : {}),
  };
}
