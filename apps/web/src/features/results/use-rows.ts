import type { ResultPage, ResultRow } from '@docwright/contract';
import { useQueries } from '@tanstack/react-query';
import { resultBlock, resultBlockQuery, type ResultRequest } from '../../shared/api/results-api.ts';
import { useDebounced } from '../../shared/ui/browser/use-debounced.ts';

/** While the user drags the scroll bar, rows that only pass by are not read. */
const settleMs = 80;

interface Source {
  orgId: string;
  promptId: string;
  request: ResultRequest;
  /** The first block; that of the query before while another one loads. */
  head: ResultPage;
}

/** The rows around those that are rendered, read in blocks, each by its position. */
export function useRows({ orgId, promptId, request, head }: Source, { start, end }: { start: number; end: number }) {
  const range = `${Math.floor(start / resultBlock)} ${Math.floor(Math.max(end - 1, 0) / resultBlock)}`;
  const [from = 0, to = 0] = useDebounced(range, settleMs).split(' ').map(Number);
  const blocks = Array.from({ length: to - from + 1 }, (_, at) => from + at).filter((block) => block > 0);
  const loaded = useQueries({ queries: blocks.map((block) => resultBlockQuery(orgId, promptId, request, block)) });
  const pages = new Map(blocks.map((block, at) => [block, loaded[at]?.data]));
  const failed = loaded.find(({ error }) => error !== null);
  return {
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
    /** Undefined while the row's block loads. */
    row(index: number): ResultRow | undefined {
      const block = Math.floor(index / resultBlock);
      return (block === 0 ? head : pages.get(block))?.rows[index % resultBlock];
    },
  };
}
