import { parseJson, isRecord } from '../../shared/http/json-value.ts';
import { readDocumentListSearch, type DocumentListSearch } from '../../shared/addresses/document-search.ts';

const key = 'docwright.document-list';

/** Keeps how the list is searched and sorted, for the window it is open in. */
export function keepList(search: DocumentListSearch): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify(search));
  } catch {
    // Storage is refused: a document is left for the whole list.
  }
}

/** The list as it was left; the whole one where none was. */
export function leftList(): DocumentListSearch {
  try {
    const kept = parseJson(window.sessionStorage.getItem(key) ?? '');
    return isRecord(kept) ? readDocumentListSearch(kept) : {};
  } catch {
    return {};
  }
}
