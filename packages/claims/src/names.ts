import type { ScopeDocument } from './evidence.ts';
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
const firstWord = /[\p{L}\p{N}]+/u;
/** Two letters or fewer, and numbers alone, occur in texts by chance. */
const isLongEnough = (folded: string): boolean => folded.length > 2 && /\p{L}/u.test(folded);

interface Entry {
  forms: string[];
  documents: Set<string>;
}

/** The folded name, and its form without legal form and extension. Empty if it can occur in texts by chance. */
function formsOf(written: string): string[] {
  const full = fold(written);
  if (!isLongEnough(full)) return [];
  const short = full.replace(legalForm, '').replace(extension, '');
  return short.length > 2 && short !== full ? [full, short] : [full];
}

/** Folded words by the words as written: the names of a large scope begin with few different ones. */
function memoFold(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let folded = known.get(text);
    if (folded === undefined) known.set(text, (folded = fold(text)));
    return folded;
  };
}

/** A company is often called by the first word of its name: “Kestrel” for Kestrel Freight Ltd. */
function calledBy(full: string): string | undefined {
  const short = full.replace(legalForm, '');
  const first = short === full ? undefined : /^\p{L}{4,}(?=[ &,-])/u.exec(short)?.[0];
  return first;
}

/** Behind an article, the first word of a name is a noun: “the orchard”, “das Nordlicht”. */
const behindArticle =
  /(?<!\p{L})(?:the|an?|our|this|each|every|der|die|das|dem|den|des|eine?[rmns]?|keine?[rmns]?|im|am|zum|zur|beim|vom|jede[rmns]?|unsere?[rmns]?|le|la|les|du|des|une?|el|los|las|del|al|una)\s+$/iu;

/** So many documents take less than a few milliseconds. */
const documentsInStep = 200;
/** No article and the spaces behind it are longer. */
const maxArticle = 40;
/** Characters by which a name is compared before it is looked for. */
const maxAhead = 60;

/** The names of a scope that can occur in a text. The others of a scope of 100,000 documents are skipped. */
export class NameIndex {
  /** By their first word. */
  readonly #byFirstWord = new Map<string, Map<string, Entry>>();
  /** Companies by the first word of their names. */
  readonly #companies = new Map<string, Entry>();
  readonly #documents = new Map<string, ScopeDocument>();
  /** By the name as written: many documents have the same supplier. */
  readonly #forms = new Map<string, string[]>();

  /** Fills the index, in steps: others of the process can have a turn between them. */
  *fill(documents: Iterable<ScopeDocument>, text: string): Generator<undefined> {
    const foldWord = memoFold();
    const words = new Set(Array.from(text.matchAll(word), ([each]) => fold(each)));
    let added = 0;
    for (const document of documents) {
      if ((added += 1) % documentsInStep === 0) yield undefined;
      this.#documents.set(document.id, document);
      for (const written of [document.name, ...document.names]) {
        const first = firstWord.exec(written.normalize())?.[0];
        if (first === undefined || !words.has(foldWord(first))) continue;
        this.#addName(written, document.id);
        if (written !== document.name) this.#addCompany(written, document.id);
      }
    }
  }

  #addCompany(written: string, documentId: string): void {
    const full = fold(written);
    const first = calledBy(full);
    if (first === undefined) return;
    let entry = this.#companies.get(first);
    if (!entry) this.#companies.set(first, (entry = { forms: [first], documents: new Set() }));
    entry.documents.add(documentId);
  }

  #addName(written: string, documentId: string): void {
    let forms = this.#forms.get(written);
    if (!forms) this.#forms.set(written, (forms = formsOf(written)));
    for (const form of forms) this.#add(form, forms[0]!, documentId);
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
    const document = this.#documents.get(documentId);
    if (document === undefined) return false;
    return [document.name, ...document.names].map(fold).some((name) => isLongEnough(name) && name.includes(folded));
  }

  /** The names in a text, the longest of those that overlap. */
  find(text: string): FoundName[] {
    const found: FoundName[] = [];
    for (const match of text.matchAll(word)) {
      if (match.index < (found.at(-1)?.end ?? 0)) continue;
      const first = fold(match[0]);
      let best: FoundName | undefined;
      const company = this.#companies.get(first);
      if (company && !behindArticle.test(text.slice(Math.max(0, match.index - maxArticle), match.index))) {
        best = { start: match.index, end: match.index + match[0].length, text: match[0], ...company };
      }
      const forms = this.#byFirstWord.get(first);
      // Many names can begin with the same word: most are left out by what follows it.
      const ahead = forms && fold(text.slice(match.index, match.index + 2 * maxAhead));
      for (const [form, entry] of forms ?? []) {
        if (ahead?.startsWith(form.slice(0, Math.min(maxAhead, form.length - 2))) !== true) continue;
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

/** The end of a folded form that begins at `start` in the text; undefined if the text differs. */
function endOfForm(text: string, start: number, form: string): number | undefined {
  for (let end = start + Math.max(1, form.length - 4); end <= Math.min(text.length, start + form.length + 6); end++) {
    // A genitive without an apostrophe, as in German, still names it.
    const isInside = /^[\p{L}\p{N}\p{M}]/u.test(text.slice(end)) && !/^s(?![\p{L}\p{N}])/u.test(text.slice(end));
    if (isInside && /[\p{L}\p{N}]/u.test(text[end - 1] ?? '')) continue;
    if (fold(text.slice(start, end)) === form && !/\s$/u.test(text.slice(start, end))) return end;
  }
  return undefined;
}
