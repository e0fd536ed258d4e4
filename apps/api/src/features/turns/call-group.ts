import { createHash } from 'node:crypto';

/** The group of a call, and what of its arguments names the document, by path. */
export interface CallGroup {
  group: string;
  names: Record<string, string>;
}

/** Equal for calls of one tool whose arguments differ only in what names the document. */
export function callGroup(tool: string, argumentsText: string, documentId: string): CallGroup {
  const names: Record<string, string> = {};
  const common = withoutDocument(parsed(argumentsText), '', documentId, names);
  const group = createHash('sha256')
    .update(JSON.stringify([tool, common]))
    .digest('hex')
    .slice(0, 24);
  return { group, names };
}

function withoutDocument(value: unknown, path: string, documentId: string, names: Record<string, string>): unknown {
  if (typeof value === 'string' && (isNamePath(path) || value === documentId)) {
    names[path.replaceAll('.', '/')] = value;
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((entry, at) => withoutDocument(entry, join(path, `${at}`), documentId, names));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, entry]) => [key, withoutDocument(entry, join(path, key), documentId, names)]);
}

function isNamePath(path: string): boolean {
  return /(?:^|\.)document_id(?:s\.\d+)?$/u.test(path);
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
