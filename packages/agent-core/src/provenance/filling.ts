import type { ArgumentRole } from '../tool/argument-role.ts';
import { isSaidIn, type SeenContent } from './seen-content.ts';
import { anyOf } from './wording/word-patterns.ts';
import { wordsOf } from './text/text-index.ts';

/**
 * What a user wants of values that a call fills in. A document can dictate them: they are asked about only if the user forbade the
 * change, or if nothing but a text of others in a message has them and the user did not order that values are set.
 * All patterns are of text in lower case without accents.
 */

/** Verbs of a change. The second group also means work on a text, as in “correct the spelling”. */
const changes = `(?:${anyOf(`
  chang\\p{L}* updat\\p{L}* edit\\p{L}* modif\\p{L}* alter touch\\p{L}* overwrit\\p{L}* replac\\p{L}* adjust\\p{L}* fix\\p{L}* set enter
  ander\\p{L}* verander\\p{L}* bearbeit\\p{L}* ersetz\\p{L}* anpass\\p{L}* cambi\\p{L}* tocar toques reemplaz\\p{L}* sostitu\\p{L}* remplac\\p{L}* touche\\p{L}*
  alterar altere mudar mude wijzig\\p{L}* zmien\\p{L}* измен\\p{L}* меня\\p{L}* правь исправля\\p{L}*`)}|${anyOf(`
  correct\\p{L}* korrigier\\p{L}* berichtig\\p{L}* corrig\\p{L}* corregg\\p{L}* correg\\p{L}*`)})`;
const setsValues = new RegExp(
  `(?<![\\p{L}])(?:${changes}|${anyOf(`
    put fill type insert add apply use take\\p{L}*_over adopt copy enter record note wrong incorrect should_be must_be needs_to_be
    trag\\p{L}* eintrag\\p{L}* setz\\p{L}* ubernimm ubernehm\\p{L}* nimm gib eingeb\\p{L}* erfass\\p{L}* falsch sollte
    mets mettez saisi\\p{L}* reprend\\p{L}* repren\\p{L}* inscri\\p{L}* utilis\\p{L}* faux fausse devrait
    pon ponle pongan? introduc\\p{L}* rellen\\p{L}* usa usen? aplic\\p{L}* copia\\p{L}* deberia metti inserisc\\p{L}* inserir insira dovrebbe imposta\\p{L}* defin\\p{L}*
    vul zet neem gebruik wpisz ustaw uzyj popraw поставь\\p{L}* впиши\\p{L}* внеси\\p{L}* установи\\p{L}* заполни\\p{L}* возьми\\p{L}* используи\\p{L}*`).replaceAll(
    '_',
    ' ',
  )})(?![\\p{L}])|исправ(?:ь|ить)|[设設]置|[设設](?:为|為|成)|填|[输輸]入|改(?:为|為|成|一下)|修改|更新|更正|入力|設定して|直して|変えて|입력|설정|수정`,
  'u',
);
/** “Correct the spelling of this mail” sets no value. */
const worksOnWords =
  /(?<!\p{L})(?:spelling|grammar|typos?|wording|style|translation|rechtschreibung|grammatik|orthographe|ortografia|(?:correct|fix|edit|change|adjust|update|replace|korrigier\p{L}*|bearbeit\p{L}*|ander\p{L}*|corrig\p{L}*|corregg\p{L}*) (?:my|this|the|diesen?|den|die|ce|cette|este|esta|questo|questa) (?:text|mail|e-?mail|letter|message|reply|draft|brief|texte|lettre|texto|carta|testo|lettera))(?!\p{L})|^[^.!?\n]*(?:correct|korrigier\p{L}*|corrig\p{L}*|corregg\p{L}*) (?:this|it|das|dies|ceci|esto|questo) ?:/u;

/** Names of the kinds of objects that other tools change. */
const otherObjects =
  /(?<!\p{L})(?:the|this|that|these|any|all|my|our|an?|das|die|der|den|le|la|les|el|los|las|il|lo|gli|i|o|os|as|de|het) (?:[^ ]+ )?(?:schemas?|esquemas?|prompts?|tags?|labels?|fields?|felder|champs?|campos?|campi|schlagw\p{L}*|etiquetas?)(?!\p{L})/u;
const denials = anyOf(`
  not don dont doesn never cannot without avoid no nothing ne nao nunca jamais nicht nie niemals ohne kein keine keinen niet nooit zonder
  sans non senza sin sem nie bez не без никогда`);
const laterDenials = anyOf(
  `nothing none nicht nichts nie niemals kein keine keinen niet niets nooit rien pas jamais nada nunca niente nulla mai ничего nic`,
);
/** “Do not forget to rename it” orders it. */
const forgets =
  /(?<!\p{L})(?:forget|hesitate|vergiss|vergesst|oubli\p{L}*|olvid\p{L}*|dimentic\p{L}*|esque\p{L}*|забудь\p{L}*)(?!\p{L})/u;
const deniedSigns = /(?:不要|不用|不必|别|別|勿)|ないで|しない|지 ?마/u;

/** The properties of a tool that are looked at here. */
interface FillingTool {
  readonly name: string;
  readonly argumentRoles?: Readonly<Record<string, ArgumentRole>>;
}

interface Act {
  readonly verb: RegExp;
  /** Forbids it before the verb. */
  readonly before: RegExp;
  /** Forbids it in other words. */
  readonly other: RegExp;
}

const actOf = (verb: string, other: RegExp, signs = '(?!)'): Act => ({
  verb: new RegExp(`(?<![\\p{L}])(?:${verb})|${signs}`, 'u'),
  before: new RegExp(`(?<![\\p{L}])${denials}(?! longer)(?: [^ ]+){0,4}? (?:${verb})`, 'u'),
  other,
});
const laterDenial = new RegExp(`^(?:[^ ]+ ){0,6}?${laterDenials}(?= |$)`, 'u');

const nameWords = anyOf(
  'name names filename title namen dateinamen titel nom nombre nome naam nazwe nazwy имя название',
);
const renaming = actOf(
  `${anyOf(`renam\\p{L}* umbenenn\\p{L}* umzubenenn\\p{L}* renomm\\p{L}* renombr\\p{L}* rinomin\\p{L}* renome\\p{L}* hernoem\\p{L}* переимен\\p{L}*`)}|benenn\\p{L}*(?: [^ ]+){0,4}? um|nenn\\p{L}*(?: [^ ]+){0,4}? um|(?:${changes}|give|gib|donne\\p{L}*|da|dale)(?: [^ ]+){0,3}? ${nameWords}`,
  new RegExp(
    `(?:^| )(?:keep|leave|behalte|lass|lasse|garde|gardez|laisse|conserva|deja|mantieni|lascia|mantem|mantenha|deixa|houd|laat|оставь)(?: [^ ]+){0,3}? (?:file ?)?${nameWords}(?![\\p{L}])|(?:^| )${nameWords} (?:must|should|shall|has to|muss|soll|sollte|doit|debe|deve|moet)?(?: ?[^ ]+)?(?: |^)(?:stays?|remains?|bleib\\p{L}*|reste\\p{L}*|rester|quedar\\p{L}*|queda|resta\\p{L}*|ficar?|blijft?|blijven)(?![\\p{L}])|(?:^| )hands off (?:[^ ]+ ){0,3}?${nameWords}(?= |$)`,
    'u',
  ),
  '重命名|改名|改(?:文件)?名|名前を変|이름.{0,3}(?:바꾸|변경)',
);
const anything = anyOf(
  'anything nothing everything document file it this nichts etwas dokument datei rien document fichier nada documento archivo niente nulla file niets nic ничего',
);
const anyChange = actOf(
  `${changes}(?: [^ ]+){0,2}? ${anything}(?![\\p{L}])|${anything} ${changes}`,
  /(?:^| )(?:(?:leave|keep) (?:everything|all|it|the (?:document|file)) (?:as|alone|unchanged)|lass\p{L}* alles|read only|only read|nur lesen|lecture seule|solo lectura|sola lettura)(?= |$)/u,
  '改变|改動|改动|修改|更改|変更|변경',
);
const valueWords = anyOf(
  'values? results? extractions? werte wert ergebnis\\p{L}* valeurs? resultats? valores valor resultados? valori valore risultat\\p{L}* waarden? wartosc\\p{L}* значени\\p{L}*',
);

const parts = (text: string): string[] =>
  text
    .split(/(?<=[.!?;\n。؟！？])/u)
    .filter((sentence) => !/[?؟？]\s*$/u.test(sentence))
    .flatMap((sentence) =>
      sentence.split(/[,:،、，()–—]|(?<= )(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|en|maar|и|но)(?= )/u),
    )
    .map((part) => (part.match(/[\p{L}\p{N}]+/gu) ?? []).join(' '))
    .filter((part) => part !== '');

/** Whether the last words of the user about this act forbid it. */
function isForbidden(acts: readonly Act[], { messages }: SeenContent): boolean {
  let isDenied = false;
  for (const { own } of messages) {
    for (const part of parts(own)) {
      if (otherObjects.test(part)) continue;
      for (const { verb, before, other } of acts) {
        const at = part.search(verb);
        if (other.test(part)) isDenied = true;
        else if (at !== -1) {
          const isNegated = before.test(part) || laterDenial.test(part.slice(at)) || deniedSigns.test(part);
          isDenied = isNegated && !forgets.test(part);
        }
      }
    }
  }
  return isDenied;
}

/** The arguments whose change the user forbade. */
export function forbiddenArguments(
  { name }: FillingTool,
  args: Readonly<Record<string, unknown>>,
  seen: SeenContent,
): string[] {
  if (name === 'update_document') {
    const filled = ['document_name', 'metadata', 'set_metadata', 'remove_metadata'].filter(
      (key) => args[key] !== undefined,
    );
    return filled.filter((key) => isForbidden(key === 'document_name' ? [anyChange, renaming] : [anyChange], seen));
  }
  if (name !== 'update_extraction_field') return [];
  const field = wordsOf(typeof args['path'] === 'string' ? args['path'] : '').filter((word) => /^\p{L}+$/u.test(word));
  const named = field.length > 0 ? `|${field.join(' ')}` : '';
  const change = actOf(
    `${changes}(?: [^ ]+){0,2}? (?:${valueWords}${named})(?![\\p{L}])|(?:${valueWords}${named})(?: [^ ]+){0,2}? ${changes}`,
    new RegExp(`(?:^| )(?:keep|leave)(?: [^ ]+){0,2}? (?:${valueWords}${named})(?= |$)`, 'u'),
  );
  return isForbidden([anyChange, change], seen) ? ['path'] : [];
}

/** Whether a text of others stands in the user's messages since the user last ordered that values are set. */
function hasOthersText({ messages }: SeenContent): boolean {
  let isPasted = false;
  for (const { said, own } of messages) {
    if (parts(own).some((part) => setsValues.test(part) && !deniedIn(part)) && !worksOnWords.test(own))
      isPasted = false;
    else if (own !== said) isPasted = true;
  }
  return isPasted;
}

const denial = new RegExp(`(?<![\\p{L}])${denials}(?![\\p{L}])`, 'u');
const deniedIn = (part: string): boolean => denial.test(part) || deniedSigns.test(part);

/** Whether a value is not in the user's own words, but can come from a text of others in a message. */
export function isFilledByOthers(
  { argumentRoles: roles = {} }: FillingTool,
  args: Readonly<Record<string, unknown>>,
  seen: SeenContent,
): boolean {
  if (!Object.values(roles).includes('field') || !hasOthersText(seen)) return false;
  return Object.entries(args).some(([name, value]) => {
    if (roles[name] !== 'content') return false;
    const words = wordsOf(typeof value === 'string' ? value : JSON.stringify(value));
    return words.length > 0 && !isSaidIn(seen, words);
  });
}
