import { type FieldEdit, fieldEditsIn } from '../conversation/field-edits.ts';
import { bareName, namesIn } from '../conversation/names.ts';
import type { ProposedKind } from '../propose/document-kind.ts';
import { columnTypeIn } from './new-column.ts';

/** A request about columns. */
export type ColumnRequest =
  | { kind: 'design'; of: ProposedKind | null; names: string[] }
  | { kind: 'edits'; edits: FieldEdit[] }
  | { kind: 'type'; column: string; type: string }
  | { kind: 'values'; column: string; values: string[] }
  | { kind: 'rows'; many: boolean }
  | { kind: 'describe'; description: string }
  | { kind: 'document'; named: { documentId: string } | { documentName: string } }
  | { kind: 'image' }
  | { kind: 'show' };

const kindLabels: readonly [RegExp, ProposedKind][] = [
  [/\b(?:invoices?|bills?|rechnung(?:en)?|factures?)\b/iu, 'invoice'],
  [/\b(?:receipts?|quittung(?:en)?|belege?)\b/iu, 'receipt'],
  [/\b(?:contracts?|agreements?|leases?|verträge?)\b/iu, 'contract'],
  [/\b(?:letters?|e-?mails?|correspondence|briefe?)\b/iu, 'letter'],
  [/\b(?:lab(?:oratory)? (?:reports?|results?)|blood tests?|laborberichte?)\b/iu, 'lab_report'],
  [/\breports?\b/iu, 'report'],
];

/** The kind of documents that a text names; null when it names none. */
export function kindIn(text: string): ProposedKind | null {
  return kindLabels.find(([words]) => words.test(text))?.[1] ?? null;
}

const asksForDesign =
  /\b(?:extract|capture|read|design|build|create|make|set ?up|suggest|propose|draft|start|need|want|get)\b|\b(?:columns?|schema|fields?|table)\s+for\b/iu;
const asksForEdit =
  /^\W*(?:please\s+|can you\s+|could you\s+)*(?:also\s+)?(?:add|include|insert|remove|delete|drop|rename|change|call)\b/iu;
const typeRequest =
  /\b(?:change|set|make|turn|switch)\s+(?:the\s+)?(?:(?:type|format) of\s+)?(?<column>.+?)(?:['’]s type|\s+type)?\s+(?:to|into|be|as|a|an)\s+(?:be\s+)?(?:an?\s+)?(?<type>currency|money|amount|number|numeric|integer|date|boolean|yes\/no|text|string)\b/iu;
const typeStatement =
  /^\W*(?:the\s+)?(?<column>.+?)\s+(?:should|must|has to|needs to) be\s+(?:an?\s+)?(?<type>currency|money|amount|number|date|boolean|yes\/no|text)\b/iu;
const allowedValues =
  /\b(?:allowed\s+)?values?\s+(?:of|for)\s+(?:the\s+)?(?<column>.+?)(?:\s+(?:are|to|should be|may be)|:)\s+(?<list>.+)$|^\W*(?:the\s+)?(?<other>.+?)\s+(?:may|can)\s+(?:only\s+)?be\s+(?<choices>.+(?:,|\bor\b).+)$/iu;
const projectDescription =
  /\b(?:describe (?:the |this |my )?project as|(?:the |my )?project(?:['’]s)? description (?:is|should be|to)|set (?:the )?(?:project )?description to)\s*:?\s*(?<text>.+)$/isu;
const documentToRead =
  /\b(?:analy[sz]e|look at|read|open|check)\b.*?(?:(?<id>\b[\da-f]{24}\b)|["“„](?<quoted>[^"”“]{1,200})["”“]|(?<file>[^\s"”“]+\.(?:pdf|png|jpe?g|tiff?|webp|docx|xlsx|csv|txt|md|html|eml)\b))/iu;
const exampleImage =
  /\b(?:example|sample)\b.*\b(?:image|picture|photo|scan)\b|\b(?:image|picture|photo)\b.*\b(?:example|sample)\b/iu;
const oneRow =
  /\b(?:(?:one|a single|single) rows?|(?:turn|switch)\s+off\s+multi|multi[- ]?row(?: mode)?\s+off|no multi|disable multi|without multi)/iu;
const manyRows = /\b(?:multi[- ]?row|(?:many|several|multiple|more) rows)\b/iu;
const rowPerEntry = /\b(?:one|a) row (?:for|per) (?:each |every )?(?:line|item|entry|position)/iu;
const asksToShow =
  /^\W*(?:please\s+)?(?:show|list|what are|which|what)\b.*\b(?:columns?|fields?|schema|settings|flags)\b/iu;
const genericName =
  /^(?:the\s+)?(?:data|information|details|values|fields|columns|everything|all|it|things|stuff|text)$/iu;

/** The request in the last message, the most specific rule first; undefined when no rule matches. */
export function columnRequestIn(request: string): ColumnRequest | undefined {
  const text = request.trim();
  const document = documentToRead.exec(text)?.groups;
  if (document?.['id'] !== undefined) return { kind: 'document', named: { documentId: document['id'].toLowerCase() } };
  const documentName = document?.['quoted'] ?? document?.['file'];
  if (documentName !== undefined) return { kind: 'document', named: { documentName } };
  const description = projectDescription.exec(text)?.groups?.['text']?.trim();
  if (description !== undefined) return { kind: 'describe', description: description.replace(/^["“]|["”]$/gu, '') };
  if (rowPerEntry.test(text)) return { kind: 'rows', many: true };
  if (oneRow.test(text)) return { kind: 'rows', many: false };
  if (manyRows.test(text)) return { kind: 'rows', many: true };
  if (exampleImage.test(text)) return { kind: 'image' };
  const typed = (typeRequest.exec(text) ?? typeStatement.exec(text))?.groups;
  const type = columnTypeIn(typed?.['type'] ?? '');
  if (typed && type !== undefined) return { kind: 'type', column: bareName(typed['column'] ?? ''), type };
  const values = allowedValues.exec(text)?.groups;
  const column = values?.['column'] ?? values?.['other'];
  if (column !== undefined) {
    return {
      kind: 'values',
      column: bareName(column),
      values: choicesIn(values?.['list'] ?? values?.['choices'] ?? ''),
    };
  }
  const edits = fieldEditsIn(text);
  if (edits.length > 0 && asksForEdit.test(text)) return { kind: 'edits', edits };
  if (asksToShow.test(text) && kindIn(text) === null) return { kind: 'show' };
  if (asksForDesign.test(text) || kindIn(text) !== null)
    return { kind: 'design', of: kindIn(text), names: requestedNames(text) };
  return edits.length > 0 ? { kind: 'edits', edits } : undefined;
}

/**
 * The names in `Extract the date, the total and the vendor from my invoices`. A single name is ignored, because it might
 * not be a column.
 */
function requestedNames(text: string): string[] {
  const list =
    /\b(?:extract|capture|read|columns?:?|fields?:?|with)\s+(?<list>.+?)(?:\s+(?:from|of|out of|on)\s+.*)?$/iu.exec(
      text,
    )?.groups?.['list'];
  const names = namesIn(list ?? '').filter((name) => !genericName.test(name) && name.length <= 60);
  return names.length >= 2 ? names : [];
}

function choicesIn(list: string): string[] {
  return list
    .split(/\s*(?:,|;|\bor\b|\band\b)\s*/iu)
    .map(bareName)
    .filter((choice) => choice !== '');
}
