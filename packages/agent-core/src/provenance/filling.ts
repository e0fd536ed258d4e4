import type { ArgumentRole } from '../tool/argument-role.ts';
import { isSaidIn, type SeenContent } from './seen-content.ts';
import { beginsWithWithdrawal } from './asked-clauses.ts';
import { anyOf, otherThings } from './wording/word-patterns.ts';
import { wordsOf } from './text/text-index.ts';

/**
 * What a user wants of values that a call fills in. A document can dictate them: they are asked about only if the user forbade the
 * change, or if nothing but a text of others in a message has them and the user did not order that values are set.
 * All patterns are of text in lower case without accents.
 */

/** Verbs of a change. The second group also means work on a text, as in “correct the spelling”. */
const changes = `(?:${anyOf(`
  chang\\p{L}* updat\\p{L}* edit\\p{L}* modif\\p{L}* alter touch\\p{L}* overwrit\\p{L}* replac\\p{L}* adjust\\p{L}* fix\\p{L}* set enter
  ander(?!e[mnrs](?!\\p{L}))\\p{L}* verander\\p{L}* bearbeit\\p{L}* ersetz\\p{L}* anpass\\p{L}* cambi\\p{L}* tocar toques reemplaz\\p{L}* sostitu\\p{L}* remplac\\p{L}* touche\\p{L}*
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
  not don dont doesn can_t never cannot without avoid stop no nothing ne pas nao nunca jamais nicht nie niemals ohne kein keine keinen niet nooit zonder
  sans non senza sin sem nie bez inte ikke icke не без никогда forbidden interdit prohibido vietato proibido verboden`).replaceAll(
  '_',
  ' ',
);
const laterDenials = anyOf(
  `nothing none nicht nichts nie niemals kein keine keinen niet niets nooit rien pas jamais nada nunca niente nulla mai inte ikke icke ничего nic
   (?:is_not|isn_t)_(?:allowed|permitted|wanted|ok|an_option) forbidden prohibited verboten untersagt interdit\\p{L}* prohibid\\p{L}* vietat\\p{L}* proibid\\p{L}* verboden`,
).replaceAll('_', ' ');
/** “Do not forget to rename it” orders it. */
const forgets =
  /(?<!\p{L})(?:forget|hesitate|vergiss|vergesst|oubli\p{L}*|olvid\p{L}*|dimentic\p{L}*|esque\p{L}*|забудь\p{L}*)(?!\p{L})/u;
/** “I could not rename it”, “I can rename it” and “why not rename it” neither forbid nor order. “We cannot rename it” can forbid. */
const saysNothing =
  /^(?:(?:i|we) (?:can(?! not| t)|could|couldn|didn|did not)(?= )|(?:ich|wir) (?:(?:kann|konnen)(?!.* (?:nicht|nie|kein))|konnten?)(?= )|je (?:n arrive|n ai)(?= )|no (?:pude|pudimos)(?= )|non riesco(?= ))|(?:^| )(?:why (?:not|don t)|warum nicht|pourquoi pas|por que no|perche non)(?= )/u;
/** What was done, and a question without its mark: “Ann renamed it”, “did the rename work”. They order nothing. */
const tellsOrAsks =
  /^(?:who|what|when|where|how|which|did|does|was|were|has|had|wer|wann|wie|hat|qui|quand|comment|quien|cuando|como|chi) |(?<!(?:be|get|needs?|wants?) )(?<!\p{L})(?:renamed|changed|modified|updated|edited|corrected|replaced|altered|adjusted|fixed|umbenannt|geandert|ersetzt|korrigiert)(?!\p{L})/u;
/** “Change nothing but the total: 9.99” orders it, in the message that has the value. */
const spares =
  /(?<!\p{L})(?:else|others?|(?:nothing|anything|any|all) (?:but|except)|except|only|besides|sonst|ander(?:e|en|es)|nur|außer|ne [^ ]+ que|autres?|seulement|sauf|otr[oa]s?|nada mas|solo|salvo|altr[oi]|tranne|soltanto)(?!\p{L})/u;
/** “Change nothing, only check whether it is 9.99” sets no value. */
const looks =
  /(?<!\p{L})(?:tell|say|check|verify|whether|compare|explain|show|read|sag|pruf|ob|vergleich|zeig|lies|dis|verifi|compar|dime|comprueb|lee)(?:e|e?n|st|t|ez|es|a)?(?!\p{L})|^(?:(?:only|just|please|nur|bitte|solo|seulement) )*(?:summari[sz]e|list|count|describe|translate|extract|(?:zusammen)?fass|ubersetz|resum|riassum|traduc|tradui)(?:e|e?n|[ei]r|ez|i)?(?!\p{L})/u;
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

const stays = anyOf(
  'stays? remains? (?:is|are|be|ist|sind)_(?:final|unchanged) bleib\\p{L}* lassen behalten unverandert reste restent rester quedar\\p{L}* queda resta restano ficar? blijft? blijven',
).replaceAll('_', ' ');
const nameWords = anyOf(
  'name names filename title namen dateinamen titel nom nombre nome naam nazwe nazwy namn navn имя название',
);
const renaming = actOf(
  `${anyOf(`renam\\p{L}* umbenenn\\p{L}* umzubenenn\\p{L}* renomm\\p{L}* renombr\\p{L}* rinomin\\p{L}* renome\\p{L}* hernoem\\p{L}* переимен\\p{L}*`)}|benenn\\p{L}*(?: [^ ]+){0,4}? um|nenn\\p{L}*(?: [^ ]+){0,4}? um|(?:${changes}|give|get|gib|byt|skift|donne\\p{L}*|da|dale)(?: [^ ]+){0,3}? ${nameWords}`,
  new RegExp(
    `(?:^| )(?:keep|leave|behalte|lass|lasse|garde|gardez|laisse|conserva|deja|mantieni|lascia|mantem|mantenha|deixa|houd|laat|оставь)(?: [^ ]+){0,3}? (?:file ?)?${nameWords}(?![\\p{L}])|(?:^| )${nameWords}(?: [^ ]+){0,2}? ${stays}(?![\\p{L}])|(?:^| )(?:no|kein(?:en)?|pas de|ningun|nessun) (?:other |new |neuen |anderen |nouveau |nuevo |nuovo )+${nameWords}(?= |$)|(?:^| )(?:hands off|finger weg) (?:[^ ]+ ){0,3}?${nameWords}(?= |$)`,
    'u',
  ),
  '重命名|改名|改(?:文件)?名|名前を変|이름.{0,3}(?:바꾸|변경)',
);
const anything = anyOf(
  'anything nothing everything document file it this nichts etwas dokument datei rien document fichier nada documento archivo niente nulla file niets nic ничего',
);
const anyChange = actOf(
  `${changes}(?: [^ ]+){0,2}? ${anything}(?![\\p{L}])|${anything} ${changes}`,
  /(?:^| )(?:(?:leave|keep) (?:everything|all|it|the (?:document|file)) (?:as|alone|unchanged)|lass\p{L}* alles|read only|only read|nur lesen|lecture seule|solo lectura|sola lettura|(?:no|keine|sans|pas de|sin|senza) (?:edits?|changes|anderungen|modifications?|cambios|modifiche))(?= |$)/u,
  '改变|改動|改动|修改|更改|変更|변경',
);
const valueWords = anyOf(
  'values? results? extractions? werte wert ergebnis\\p{L}* valeurs? resultats? valores valor resultados? valori valore risultat\\p{L}* waarden? wartosc\\p{L}* значени\\p{L}*',
);

const parts = (text: string): string[] =>
  text
    .split(/(?<=[.!?;])(?=\s)|(?<=[\n。؟！？])/u)
    .filter((sentence) => !/[?؟？]\s*$/u.test(sentence))
    .flatMap((sentence) =>
      sentence.split(
        /(?<=(?<!\p{L})(?:(?:nothing|anything|any|all) but|nada mas) )|,(?!\d)|[:،、，()–—]|(?<= )(?:and|(?<!(?<!\p{L})(?:nothing|anything|any|all) )but|und|aber|et|mais|y|pero|e|ma|(?<!nada )mas|en|maar|и|но)(?= )/u,
      ),
    )
    .map((part) => (part.match(/[\p{L}\p{N}]+/gu) ?? []).join(' '))
    .filter((part) => part !== '');

/** A part of a message, with what does not depend on the call. */
interface Part {
  readonly text: string;
  readonly isDenied: boolean;
  /** It orders that values are set. */
  readonly sets: boolean;
  readonly renaming: Verdict;
  readonly anyChange: Verdict;
  /** It can be about a change of one field. */
  readonly isOfChange: boolean;
  /** It limits what another part says, as “nothing else”, and whether it names a change. */
  readonly spares: boolean;
  readonly changes: boolean;
  readonly looks: boolean;
}

/** Whether a part forbids an act or orders it; undefined if it says nothing of it. */
type Verdict = boolean | undefined;

const ofChange = new RegExp(`(?<!\\p{L})(?:${changes}|keep|leave|other|anderen|autre|otr[oa]|${stays})`, 'u');
const denial = new RegExp(`(?<!\\p{L})${denials}(?!\\p{L})`, 'u');

function readPart(text: string): Part {
  const isDenied = denial.test(text) || deniedSigns.test(text);
  const [ofRenaming, ofAnyChange] = [forbids(text, renaming), forbids(text, anyChange)];
  return {
    text,
    isDenied,
    sets: !isDenied && setsValues.test(text),
    renaming: ofRenaming,
    anyChange: ofAnyChange,
    isOfChange: ofChange.test(text),
    spares: spares.test(text),
    changes: setsValues.test(text) || renaming.verb.test(text),
    looks: looks.test(text),
  };
}

const readMessages = new WeakMap<object, readonly Part[]>();

/** Reads the messages of a user once for all calls, part by part so that other work can go on: they can be long. */
export function* readFillings({ messages }: SeenContent): Generator<void, void> {
  for (const message of messages) {
    if (readMessages.has(message)) continue;
    const read: Part[] = [];
    for (const text of parts(message.own)) yield void read.push(readPart(text));
    readMessages.set(message, read);
  }
}

function partsOf(message: SeenContent['messages'][number]): readonly Part[] {
  const known = readMessages.get(message);
  if (known !== undefined) return known;
  const read = parts(message.own).map(readPart);
  readMessages.set(message, read);
  return read;
}

function forbids(part: string, { verb, before, other }: Act): Verdict {
  if (other.test(part)) return !otherObjects.test(part) || undefined;
  const at = part.search(verb);
  if (at === -1 || otherObjects.test(part) || saysNothing.test(part)) return undefined;
  const isNegated = before.test(part) || laterDenial.test(part.slice(at)) || deniedSigns.test(part);
  if (isNegated) return !forgets.test(part);
  return tellsOrAsks.test(part) ? undefined : false;
}

/**
 * Whether the last words of the user about an act forbid it.
 *
 * @param value the value that the call sets: a message that has it can forbid all other changes
 * @param isLifting whether a part that orders to set a value can order this change after all
 */
function isForbidden(
  verdictOf: (part: Part) => Verdict,
  value: unknown,
  { messages }: SeenContent,
  isLifting: (part: Part) => boolean = ({ text }) => !otherThings.test(text),
): boolean {
  const words = typeof value === 'string' || typeof value === 'number' ? wordsOf(String(value)).join(' ') : '';
  let [isDenied, isOrdered] = [false, false];
  for (const message of messages) {
    const said = partsOf(message);
    // “Set the total to 9.99”, then “No.”
    if (isOrdered && beginsWithWithdrawal(message.own, message.isAnswer)) [isDenied, isOrdered] = [true, false];
    const wasDenied = isDenied;
    for (const part of said) isDenied = verdictOf(part) ?? isDenied;
    isOrdered ||= said.some((part) => verdictOf(part) === false);
    if (!isDenied || words === '') continue;
    const isOrder =
      said.some((part, at) => part.spares && (part.changes || givesValue(said, at, words))) ||
      (wasDenied && said.some((part) => part.sets && isLifting(part)));
    if (isOrder && said.some((_, at) => hasValue(said, at, words))) isDenied = false;
  }
  return isDenied;
}

/** Whether a part has the value of a call and is no order to look at something, nor stands right behind one, as in “tell me: 9.99”. */
function hasValue(parts: readonly Part[], at: number, value: string): boolean {
  const [{ text, isDenied, looks }, before] = [parts[at]!, parts[at - 1]];
  if (isDenied || looks || (before?.looks === true && !before.changes)) return false;
  return !otherThings.test(text) && ` ${text} `.includes(` ${value} `);
}

/** “Only the total: 9.99”: the value ends a part or stands alone in the next one. */
const givesValue = (parts: readonly Part[], at: number, value: string): boolean =>
  !parts[at]!.looks && (` ${parts[at]!.text}`.endsWith(` ${value}`) || parts[at + 1]?.text === value);

/** “Set it to Kestrel 7” can mean the name, “set the status to Paid” does not. */
const namesItself = new RegExp(
  `(?<!\\p{L})(?:${changes}|put|make|setz\\p{L}*|mach\\p{L}*|mets|mettez|pon|metti|zet|maak)(?: [^ ]+)? (?:${anything}|that|es|das|${nameWords})(?![\\p{L}])`,
  'u',
);

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
    return filled.filter((key) => {
      const isName = key === 'document_name';
      const verdictOf = (part: Part): Verdict => (isName ? part.renaming : undefined) ?? part.anyChange;
      return isForbidden(verdictOf, args[key], seen, isName ? ({ text }) => namesItself.test(text) : undefined);
    });
  }
  if (name !== 'update_extraction_field') return [];
  const field = wordsOf(typeof args['path'] === 'string' ? args['path'] : '').filter((word) => /^\p{L}+$/u.test(word));
  const named = field.length > 0 ? `|${field.join(' ')}` : '';
  const change = actOf(
    `${changes}(?: [^ ]+){0,2}? (?:${valueWords}${named})(?![\\p{L}])|(?:${valueWords}${named})(?: [^ ]+){0,2}? ${changes}`,
    new RegExp(
      `(?:^| )(?:keep|leave)(?: [^ ]+){0,2}? (?:${valueWords}${named})(?= |$)|(?:^| )(?:no|keine|aucune?|pas d|ningun|ningunos) (?:other|anderen|autres?|otr[oa]s?) (?:${valueWords})(?= |$)|(?:^| )(?:${valueWords}${named})(?: [^ ]+){0,2}? ${stays}(?: (?:so|as|the same|this way|asi|igual|comme ca|cosi|zo).*)?$`,
      'u',
    ),
  );
  const verdictOf = (part: Part): Verdict =>
    (part.isOfChange ? forbids(part.text, change) : undefined) ?? part.anyChange;
  return isForbidden(verdictOf, args['value'], seen) ? ['path'] : [];
}

/** Whether a text of others stands in the user's messages since the user last ordered that values are set. */
function hasOthersText({ messages }: SeenContent): boolean {
  let isPasted = false;
  for (const message of messages) {
    const { said, own } = message;
    if (partsOf(message).some(({ sets }) => sets) && !worksOnWords.test(own)) isPasted = false;
    else if (own !== said) isPasted = true;
  }
  return isPasted;
}

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
