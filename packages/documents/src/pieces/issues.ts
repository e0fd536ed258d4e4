import type { ReadPieces } from './read-in-pieces.ts';

/** Why a result is not, or might not be, all that the document says. */
export interface ResultIssue {
  code: 'rows_missing' | 'rows_duplicate' | 'text_cut' | 'piece_failed' | 'conflicting_values';
  /** The path of the list or field; empty for the whole result. */
  path: string;
  pages: number[];
  counted?: number;
  got?: number;
  message: string;
}

/** Text that no request held, by page. */
export interface CutPage {
  page_num: number;
  characters: number;
}

const MAX_CONFLICTS = 50;

/** The issues of a result that was read in pieces. */
export function issuesOf(
  { rows, failed, merged, read }: Pick<ReadPieces, 'rows' | 'failed' | 'merged' | 'read'>,
  cutPages: readonly CutPage[] = [],
): ResultIssue[] {
  const failures = failed.map(({ piece: { from, to }, reason }): ResultIssue => {
    const pages = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const why = reason instanceof Error ? ` ${reason.message}` : '';
    return {
      code: 'piece_failed',
      path: '',
      pages,
      message: `${pagesText(pages)} could not be read by the model.${why}`,
    };
  });
  const isFailed = new Set(failures.flatMap(({ pages }) => pages));
  const findings = rows.findings.map(({ code, path, pages, counted, got }): ResultIssue => {
    const counts = { ...(counted !== undefined && { counted }), got };
    if (code === 'rows_missing') {
      const shown = counted === undefined ? '' : ` The pages show ${counted} rows, the result has ${got}.`;
      return { code, path, pages, ...counts, message: `Rows are missing on ${pagesText(pages, true)}.${shown}` };
    }
    return { code, path, pages, ...counts, message: `Rows were read twice on ${pagesText(pages, true)}. Check them.` };
  });
  const cuts = cutPages.map(({ page_num, characters }): ResultIssue => ({
    code: 'text_cut',
    path: '',
    pages: [page_num],
    message: `${characters} characters of page ${page_num} are more than one request holds and were not read.`,
  }));
  const conflicts = merged.conflicts.slice(0, MAX_CONFLICTS).map(({ path, values }): ResultIssue => {
    const pages = [...new Set(values.flatMap((each) => each.pages))].sort((a, b) => a - b);
    const texts = values.slice(0, 3).map(({ value }) => JSON.stringify(value).slice(0, 60));
    return {
      code: 'conflicting_values',
      path,
      pages,
      message: `Parts of the document say different things: ${texts.join(', ')}.`,
    };
  });
  // A failed piece lacks all its rows, so its missing rows are reported only together with others.
  const telling = findings.filter(
    ({ code, pages }) => code !== 'rows_missing' || pages.some((page) => !isFailed.has(page)) || read.length === 0,
  );
  return [...failures, ...cuts, ...telling, ...conflicts];
}

/** Whether the result can be taken for all that the document says. Differing values alone do not make it incomplete. */
export function isComplete(issues: readonly Pick<ResultIssue, 'code'>[]): boolean {
  return issues.every(({ code }) => code === 'conflicting_values');
}

/** `Pages 3 to 5, 9`. */
export function pagesText(pages: readonly number[], isWithin = false): string {
  const ranges: [number, number][] = [];
  for (const page of [...new Set(pages)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && page === last[1] + 1) last[1] = page;
    else ranges.push([page, page]);
  }
  const shown = ranges.slice(0, 8).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  const more = ranges.length > 8 ? ' and others' : '';
  const word = pages.length === 1 ? 'page' : 'pages';
  return `${isWithin ? word : word.replace('p', 'P')} ${shown.join(', ')}${more}`;
}
