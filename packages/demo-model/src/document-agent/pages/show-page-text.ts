import { describeRefusal } from '../../conversation/outcome.ts';
import { type PlanOfSteps, use } from '../../conversation/plan.ts';
import { pageTextsIn } from './page-texts.ts';

const maxShownLength = 4000;

/** The page whose text a message asks for; null for all pages; undefined when it asks for no text. */
export function requestedPage(request: string): number | null | undefined {
  const page = /\b(?:page|seite|p\.)\s*(?<number>\d{1,4})\b/iu.exec(request)?.groups?.number;
  const wantsText =
    /\b(?:show|read|display|print|give|see|what does|what is on|what's on|what do|zeig\w*|lies|affiche\w*)\b/iu.test(
      request,
    );
  const namesText = /\b(?:text|ocr|content|contents|wording|words on|inhalt|texte)\b/iu.test(request);
  if (page !== undefined && (wantsText || namesText)) return Number(page);
  return wantsText && namesText ? null : undefined;
}

/** Shows the text of one page or of all pages in its layout. */
export function* showPageText(page: number | null): PlanOfSteps {
  const outcome = yield* use('get_ocr_text', page === null ? {} : { page_num: page });
  if (outcome.kind !== 'done') return describeRefusal('read the text', outcome);
  const pages = pageTextsIn(outcome);
  if (pages.every(({ text }) => text.trim() === '')) return 'No text could be read there.';
  return pages.map(({ page, text }) => `Page ${page}:\n\n${fenced(text)}`).join('\n\n');
}

/** A code block whose fence is longer than any run of backticks in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const shown =
    text.length > maxShownLength
      ? `${text.slice(0, maxShownLength)}\n… ${text.length - maxShownLength} more characters`
      : text;
  return `${fence}text\n${shown}\n${fence}`;
}
