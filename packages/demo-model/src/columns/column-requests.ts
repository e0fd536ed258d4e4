import { type FieldEdit, fieldEditsIn } from '../conversation/field-edits.ts';
import { bareName, namesIn } from '../conversation/names.ts';
import type { DocumentKind } from '../propose/document-kind.ts';
import { columnTypeIn } from './new-column.ts';

/** What a message asks to do with the columns. */
export type ColumnRequest =
  | { kind: 'design'; of: DocumentKind | null; names: string[] }
  | { kind: 'edits'; edits: FieldEdit[] }
  | { kind: 'type'; column: string; type: string }
  | { kind: 'values'; column: string; values: string[] }
  | { kind: 'rows'; many: boolean }
  | { kind: 'describe'; description: string }
  | { kind: 'document'; named: { documentId: string } | { documentName: string } }
  | { kind: 'image' }
  | { kind: 'show' };

const kinds: readonly [RegExp, DocumentKind][] = [
  [/\b(?:invoices?|bills?|rechnung(?:en)?|factures?)\b/iu, 'invoice'],
  [/\b(?:receipts?|quittung(?:en)?|belege?)\b/iu, 'receipt'],
  [/\b(?:contracts?|agreements?|leases?|verträge?)\b/iu, 'contract'],
  [/\b(?:letters?|e-?mails?|correspondence|briefe?)\b/iu, 'letter'],
  [/\b(?:lab(?:oratory)? (?:reports?|results?)|blood tests?|laborberichte?)\b/iu, 'lab_report'],
  [/\breports?\b/iu, 'report'],
];

export function kindIn(text: string): DocumentKind | null {
  return kinds.find(([words]) => words.test(text))?.[1] ?? null;
}

const designs =
  /\b(?:extract|capture|read|design|build|create|make|set ?up|suggest|propose|draft|start|need|want|get)\b|\b(?:columns?|schema|fields?|table)\s+for\b/iu;
const edits =
  /^\W*(?:please\s+|can you\s+|could you\s+)*(?:also\s+)?(?:add|include|insert|remove|delete|drop|rename|change|call)\b/iu;
const typed =
  /\b(?:change|set|make|turn|switch)\s+(?:the\s+)?(?:(?:type|format) of\s+)?(?<column>.+?)(?:['’]s type|\s+type)?\s+(?:to|into|be|as|a|an)\s+(?:be\s+)?(?:an?\s+)?(?<type>currency|money|amount|number|numeric|integer|date|boolean|yes\/no|text|string)\b/iu;
const shouldBe =
  /^\W*(?:the\s+)?(?<column>.+?)\s+(?:should|must|has to|needs to) be\s+(?:an?\s+)?(?<type>currency|money|amount|number|date|boolean|yes\/no|text)\b/iu;
const valued =
  /\b(?:allowed\s+)?values?\s+(?:of|for)\s+(?:the\s+)?(?<column>.+?)(?:\s+(?:are|to|should be|may be)|:)\s+(?<list>.+)$|^\W*(?:the\s+)?(?<other>.+?)\s+(?:may|can)\s+(?:only\s+)?be\s+(?<choices>.+(?:,|\bor\b).+)$/iu;
const described =
  /\b(?:describe (?:the |this |my )?project as|(?:the |my )?project(?:['’]s)? description (?:is|should be|to)|set (?:the )?(?:project )?description to)\s*:?\s*(?<text>.+)$/isu;
const document =
  /\b(?:analy[sz]e|look at|read|open|check)\b.*?(?:(?<id>\b[\da-f]{24}\b)|["“„](?<quoted>[^"”“]{1,200})["”“]|(?<file>[^\s"”“]+\.(?:pdf|png|jpe?g|tiff?|webp|docx|xlsx|csv|txt|md|html|eml)\b))/iu;
const oneRow =
  /\b(?:(?:one|a single|single) rows?|(?:turn|switch)\s+off\s+multi|multi[- ]?row(?: mode)?\s+off|no multi|disable multi|without multi)/iu;
const manyRows = /\b(?:multi[- ]?row|(?:many|several|multiple|more) rows)\b/iu;
const rowPerEntry = /\b(?:one|a) row (?:for|per) (?:each |every )?(?:line|item|entry|position)/iu;
const shows = /^\W*(?:please\s+)?(?:show|list|what are|which|what)\b.*\b(?:columns?|fields?|schema|settings|flags)\b/iu;
const generic = /^(?:the\s+)?(?:data|information|details|values|fields|columns|everything|all|it|things|stuff|text)$/iu;

/** The request in the last message, the most specific rule first; undefined when no rule matches. */
export function columnRequestIn(request: string): ColumnRequest | undefined {
  const text = request.trim();
  const found = document.exec(text)?.groups;
  if (found?.['id'] !== undefined) return { kind: 'document', named: { documentId: found['id'].toLowerCase() } };
  const documentName = found?.['quoted'] ?? found?.['file'];
  if (documentName !== undefined) return { kind: 'document', named: { documentName } };
  const description = described.exec(text)?.groups?.['text']?.trim();
  if (description !== undefined) return { kind: 'describe', description: description.replace(/^["“]|["”]$/gu, '') };
  if (rowPerEntry.test(text)) return { kind: 'rows', many: true };
  if (oneRow.test(text)) return { kind: 'rows', many: false };
  if (manyRows.test(text)) return { kind: 'rows', many: true };
  if (
    /\b(?:example|sample)\b.*\b(?:image|picture|photo|scan)\b|\b(?:image|picture|photo)\b.*\b(?:example|sample)\b/iu.test(
      text,
    )
  ) {
    return { kind: 'image' };
  }
  const typing = (typed.exec(text) ?? shouldBe.exec(text))?.groups;
  const type = columnTypeIn(typing?.['type'] ?? '');
  if (typing && type !== undefined) return { kind: 'type', column: bareName(typing['column'] ?? ''), type };
  const values = valued.exec(text)?.groups;
  const column = values?.['column'] ?? values?.['other'];
  if (column !== undefined) {
    return {
      kind: 'values',
      column: bareName(column),
      values: choicesIn(values?.['list'] ?? values?.['choices'] ?? ''),
    };
  }
  const changes = edits.test(text) ? fieldEditsIn(text) : [];
  if (changes.length > 0) return { kind: 'edits', edits: changes };
  if (shows.test(text) && kindIn(text) === null) return { kind: 'show' };
  if (designs.test(text) || kindIn(text) !== null)
    return { kind: 'design', of: kindIn(text), names: requestedNames(text) };
  const other = fieldEditsIn(text);
  return other.length > 0 ? { kind: 'edits', edits: other } : undefined;
}

/**
 * The names in `Extract the date, the total and the vendor from my invoices`; empty below two names, because a single
 * phrase might not be a column.
 */
function requestedNames(text: string): string[] {
  const list =
    /\b(?:extract|capture|read|columns?:?|fields?:?|with)\s+(?<list>.+?)(?:\s+(?:from|of|out of|on)\s+.*)?$/iu.exec(
      text,
    )?.groups?.['list'];
  const names = namesIn(list ?? '').filter((name) => !generic.test(name) && name.length <= 60);
  return names.length >= 2 ? names : [];
}

function choicesIn(list: string): string[] {
  return list
    .split(/\s*(?:,|;|\bor\b|\band\b)\s*/iu)
    .map(bareName)
    .filter((choice) => choice !== '');
}
