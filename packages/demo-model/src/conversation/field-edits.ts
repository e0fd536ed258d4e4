import { bareName, namesIn } from './names.ts';

/** One change to the fields of a schema, in the user's words. */
export type FieldEdit =
  | { kind: 'add'; field: string; type: string | null; toItems: boolean }
  | { kind: 'drop'; field: string }
  | { kind: 'rename'; field: string; to: string };

const addVerb = String.raw`(?:add|include|insert|append|also (?:extract|capture|read|take|need|want)|i (?:also )?(?:need|want)|füge|ergänze|hinzufügen|ajoute[rz]?)`;
const dropVerb = String.raw`(?:drop|remove|delete|leave out|get rid of|omit|take out|without|skip|entferne|lösche|streiche|ohne|supprime[rz]?|enlève)`;
const renameVerb = String.raw`(?:rename|change the name of|call|benenne|umbenennen|renomme[rz]?)`;
const clauseBreak = new RegExp(
  String.raw`(?:[,;.]|\band\b|\bthen\b|\bund\b|\bet\b)\s*(?:then\s+|also\s+|please\s+)*(?=${addVerb}\b|${dropVerb}\b|${renameVerb}\b)`,
  'giu',
);

/** The requested changes, in order; empty when the message requests none. */
export function fieldEditsIn(request: string): FieldEdit[] {
  const clauses = request.split(clauseBreak).map((clause) => clause.trim());
  return clauses.flatMap((clause) => renameIn(clause) ?? dropIn(clause) ?? addIn(clause) ?? []).filter(namesField);
}

/** Requests such as `delete everything` name no field. */
function namesField({ field }: FieldEdit): boolean {
  return !/^(?:it|this|that|these|schema|extraction|them|everything|all|fields?)$/iu.test(field);
}

function renameIn(clause: string): FieldEdit[] | null {
  const match = new RegExp(String.raw`\b${renameVerb}\s+(?<pairs>.+)$`, 'iu').exec(clause);
  if (!match) return null;
  const pairs = (match.groups?.pairs ?? '').split(
    /\s*(?:,|\band\b|\bund\b|\bet\b)\s*(?=.+(?:\bto\b|\binto\b|->|→|\bin\b|\ben\b))/iu,
  );
  const edits = pairs.flatMap((pair): FieldEdit[] => {
    const parts =
      /^(?<field>.+?)\s*(?:\bto\b|\binto\b|\bas\b|->|→|\bin\b|\ben\b|\bzu\b)\s*(?<to>.+?)(?:\s+um)?$/iu.exec(
        pair,
      )?.groups;
    const field = bareName(parts?.field ?? '');
    const to = bareName(parts?.to ?? '');
    return field === '' || to === '' ? [] : [{ kind: 'rename', field, to }];
  });
  return edits.length > 0 ? edits : null;
}

function dropIn(clause: string): FieldEdit[] | null {
  const match = new RegExp(String.raw`(?<![\p{L}])${dropVerb}\s+(?<list>.+)$`, 'iu').exec(clause);
  if (!match) return null;
  const list = (match.groups?.list ?? '').replace(
    /\s+(?:from|in|out of|of|aus|du|de)\s+(?:the |this |my |dem |das )?(?:schema|schéma|form|template)\b.*$/iu,
    '',
  );
  return namesIn(list).map((field) => ({ kind: 'drop', field }));
}

function addIn(clause: string): FieldEdit[] | null {
  const match = new RegExp(String.raw`(?<![\p{L}])${addVerb}\s+(?<list>.+)$`, 'iu').exec(clause);
  if (!match) return null;
  const addition = match.groups?.list ?? '';
  const toItems = /\bto (?:the |each |every )?(?:line items?|items?|rows?|positions?|table)\b/iu.test(addition);
  const list = addition
    .replace(
      /\s+(?:to|in|into|zu|zum|au|à)\s+(?:the |each |every |this |my |das |dem )?(?:schema|schéma|line items?|items?|rows?|positions?|table|extraction|form|template)\b.*$/iu,
      '',
    )
    .replace(
      /^(?:(?:a|an|the|some|two|three|these|new|more|ein|das|un|le)\s+)*(?:fields?|columns?|feld(?:er)?|champs?)\s*(?:called|named|for|:|namens)?\s*/iu,
      '',
    )
    .replace(/\s+hinzu$/iu, '');
  return namesIn(list).flatMap((name): FieldEdit[] => {
    const typed =
      /^(?<field>.+?)\s*(?:\((?<bracketed>number|text|string|date|integer|boolean|yes\/no|amount)\)|\bas (?:an? )?(?<named>number|text|string|date|integer|boolean|amount))$/iu.exec(
        name,
      )?.groups;
    const field = bareName(typed?.field ?? name);
    return field === '' ? [] : [{ kind: 'add', field, type: typed?.bracketed ?? typed?.named ?? null, toItems }];
  });
}
