import { parseJson, isRecord } from '../../shared/http/json-value.ts';
import { readDocumentListSearch, type DocumentListSearch } from '../../shared/addresses/document-search.ts';

const key = 'docwright.document-list';

/** Stores how the list is searched and sorted, for this browser tab. */
export function storeListSearch(search: DocumentListSearch): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify(search));
  } catch {
    // The browser refuses storage: going back from a document leads to the whole list.
  }
}

/** Reads the stored search; the whole list if there is none. */
export function storedListSearch(): DocumentListSearch {
  try {
    const stored = parseJson(window.sessionStorage.getItem(key) ?? '');
    return isRecord(stored) ? readDocumentListSearch(stored) : {};
  } catch {
    return {};
  }
}
