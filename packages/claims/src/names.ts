import type { NamedDocument } from './evidence.ts';
import { fold } from './fold.ts';

/** A name of the scope in a text. */
export interface FoundName {
  start: number;
  end: number;
  text: string;
  /** The folded name, with and without its legal form. */
  forms: readonly string[];
  /** The documents that have it as name or value. */
  documents: ReadonlySet<string>;
}

const legalForm =
  /[\s,]+(?:gmbh(?: & co\.? kg)?|ag|kg|ug|ohg|se|e\.?v\.?|ltd\.?|limited|inc\.?|llc|llp|plc|corp\.?|corporation|co\.?|company|s\.?a\.?s?\.?|s\.?a\.?r\.?l\.?|s\.?l\.?u?\.?|b\.?v\.?|n\.?v\.?|oy|ab|aps|a\/s|s\.?p\.?a\.?|s\.?r\.?l\.?|sp\. z o\.o\.)$/u;
const extension = /\.(?:pdf|docx?|xlsx?|csv|txt|png|jpe?g|tiff?|eml|html?|md|pptx?)$/u;
const word = /[\p{L}\p{N}]+/gu;

interface Entry {
  forms: string[];
  documents: Set<string>;
}

/** The names of a scope, for finding them in sentences. */
export class NameIndex {
  /** By their first word. */
  readonly #byFirstWord = new Map<string, Map<string, Entry>>();
  readonly #ofDocument = new Map<string, string[]>();

  constructor(documents: Iterable<NamedDocument>) {
    for (const { id, name, names } of documents) {
      const folded = [name, ...names].map(fold).filter((each) => each.length > 2 && /\p{L}/u.test(each));
      this.#ofDocument.set(id, folded);
      for (const each of folded) {
        const short = each.replace(legalForm, '').replace(extension, '');
        for (const form of new Set([each, short])) if (form.length > 2) this.#add(form, each, id);
      }
    }
  }

  #add(form: string, full: string, documentId: string): void {
    const first = form.match(word)?.[0];
    if (first === undefined) return;
    let entries = this.#byFirstWord.get(first);
    if (!entries) this.#byFirstWord.set(first, (entries = new Map()));
    let entry = entries.get(form);
    if (!entry) entries.set(form, (entry = { forms: [...new Set([form, full])], documents: new Set() }));
    entry.documents.add(documentId);
  }

  /** Whether a document has the text in its name or in one of its name-like values. */
  hasText(documentId: string, folded: string): boolean {
    return this.#ofDocument.get(documentId)?.some((name) => name.includes(folded)) ?? false;
  }

  /** The names in a text, the longest of those that overlap. */
  find(text: string): FoundName[] {
    const found: FoundName[] = [];
    for (const match of text.matchAll(word)) {
      if (found.some(({ end }) => match.index < end)) continue;
      const entries = this.#byFirstWord.get(fold(match[0]));
      if (!entries) continue;
      let best: FoundName | undefined;
      for (const [form, entry] of entries) {
        const end = endOfForm(text, match.index, form);
        if (end === undefined || end <= (best?.end ?? 0)) continue;
        best = { start: match.index, end, text: text.slice(match.index, end), ...entry };
      }
      if (best && isNameLike(best.text)) found.push(best);
    }
    return found;
  }
}

/** A name in small letters throughout is a word: the supplier “Apple” and an apple. */
const isNameLike = (text: string): boolean => /[\p{Lu}\p{Lt}\d]/u.test(text) || /\p{Lo}/u.test(text);

/** Where a folded form that begins at `start` ends in the text; undefined if it does not stand there. */
function endOfForm(text: string, start: number, form: string): number | undefined {
  for (let end = start + Math.max(1, form.length - 4); end <= Math.min(text.length, start + form.length + 6); end++) {
    // A genitive without an apostrophe, as in German, still names it.
    const isInside = /^[\p{L}\p{N}\p{M}]/u.test(text.slice(end)) && !/^s(?![\p{L}\p{N}])/u.test(text.slice(end));
    if (isInside && /[\p{L}\p{N}]/u.test(text[end - 1] ?? '')) continue;
    if (fold(text.slice(start, end)) === form && !/\s$/u.test(text.slice(start, end))) return end;
  }
  return undefined;
}
