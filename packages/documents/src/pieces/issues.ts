import { pagesOf } from './plan-pieces.ts';
import type { ReadPieces } from './read-in-pieces.ts';

/** A reason why a result is incomplete or uncertain. */
export interface ResultIssue {
  code: 'rows_missing' | 'rows_duplicate' | 'text_cut' | 'piece_failed' | 'conflicting_values' | 'near_unread';
  /** The path of the list or field; empty for the whole result. */
  path: string;
  pages: number[];
  /** Number of printed rows, if it is known. */
  counted?: number;
  /** Number of rows in the result. */
  got?: number;
  message: string;
}

/** A page with text that no request contained. */
export interface CutPage {
  page_num: number;
  /** Number of characters that were left out. */
  characters: number;
}

const maxConflicts = 50;
/** Of each conflict, so many values are named, with so many characters. */
const maxNamedValues = 3;
const maxValueLength = 60;
const maxNamedRanges = 8;

/**
 * The issues of a result that was read in pieces.
 *
 * @param read As `readInPieces` returns it.
 * @param cutPages Pages whose text did not fit into a request.
 *
 * @example
 * ```ts
 * import { isComplete, issuesOf, type ReadPieces } from '@docwright/documents/long';
 *
 * declare const read: ReadPieces;
 * const issues = issuesOf(read);
 * console.log(isComplete(issues), issues.map(({ code, pages }) => `${code}: ${pages.join()}`));
 * ```
 */
export function issuesOf(
  { rows, failed, merged, read }: Pick<ReadPieces, 'rows' | 'failed' | 'merged' | 'read'>,
  cutPages: readonly CutPage[] = [],
): ResultIssue[] {
  const failures = failed.map(({ piece, reason }): ResultIssue => {
    const pages = pagesOf(piece);
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
    message: `${characters} characters of page ${page_num} do not fit into one request and were not read.`,
  }));
  const conflicts = merged.conflicts.slice(0, maxConflicts).map(({ path, values }): ResultIssue => {
    const pages = [...new Set(values.flatMap((each) => each.pages))].sort((a, b) => a - b);
    const texts = values.slice(0, maxNamedValues).map(({ value }) => JSON.stringify(value).slice(0, maxValueLength));
    return {
      code: 'conflicting_values',
      path,
      pages,
      message: `Parts of the document say different things: ${texts.join(', ')}.`,
    };
  });
  // A failed piece is an issue itself, so its missing rows are reported only together with those of other pages.
  const shownFindings = findings.filter(
    ({ code, pages }) => code !== 'rows_missing' || pages.some((page) => !isFailed.has(page)) || read.length === 0,
  );
  return [...failures, ...cuts, ...shownFindings, ...conflicts];
}

/**
 * Whether a result has everything that the document says. Conflicting values alone do not make it incomplete.
 *
 * @example
 * ```ts
 * import { isComplete, issuesOf, type ReadPieces } from '@docwright/documents/long';
 *
 * declare const read: ReadPieces;
 * console.log(isComplete(issuesOf(read)));
 * ```
 */
export function isComplete(issues: readonly Pick<ResultIssue, 'code'>[]): boolean {
  return issues.every(({ code }) => code === 'conflicting_values');
}

/**
 * Names pages in a message: `Pages 3–5, 9`.
 *
 * @param isWithinSentence Whether the name starts with a small letter.
 *
 * @example
 * ```ts
 * import { pagesText } from '@docwright/documents/long';
 *
 * console.log(pagesText([3, 4, 5, 9])); // 'Pages 3–5, 9'
 * ```
 */
export function pagesText(pages: readonly number[], isWithinSentence = false): string {
  const ranges: [number, number][] = [];
  for (const page of [...new Set(pages)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && page === last[1] + 1) last[1] = page;
    else ranges.push([page, page]);
  }
  const shown = ranges.slice(0, maxNamedRanges).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  const more = ranges.length > maxNamedRanges ? ' and others' : '';
  const word = pages.length === 1 ? 'page' : 'pages';
  return `${isWithinSentence ? word : word.replace('p', 'P')} ${shown.join(', ')}${more}`;
}
