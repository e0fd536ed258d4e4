import type { ArgumentRole } from '../tool/argument-role.ts';
import type { Effect } from '../tool/tool.ts';
import { isOrdered, orderedAtOnce, orderingClauses, refersTo } from './spoken-orders.ts';
import { asksToFile, hasKnownUse, isLeftByUseAlone, speaksOfUse } from './asked-use.ts';
import type { SeenContent } from './seen-content.ts';
import { deletion, deletionSigns, emptying } from './wording/deletion-words.ts';
import { anyOf } from './wording/word-patterns.ts';
import { wordsOf } from './text/text-index.ts';

type Person = SeenContent['ownWords'];

/** Whole words. “*” stands for any letters, “_” for a space. */
const words = (list: string): RegExp =>
  new RegExp(
    `(?:^| )${anyOf(list)
      .replaceAll('*', String.raw`\p{L}*`)
      .replaceAll('_', ' ')}(?= |$)`,
    'u',
  );

/**
 * Words by which users speak of an object of a kind, in several languages, without accents. `parts` are words of documents
 * too, as in “the field total” and “payment instructions”: they mean an object only where a change of it is ordered.
 */
interface KindWords {
  readonly names: RegExp;
  readonly parts?: RegExp;
  /** The same in scripts that fold otherwise. What also stands within other words counts at the beginning of one. */
  readonly signs?: RegExp;
}

const wordsOfKinds: Readonly<Record<string, KindWords>> = {
  tag: {
    // A German “Tag” is a day.
    names: words(
      `(?<!(?:guten|schonen|jeden|jedem|ganzen|pro|am|selben|nachsten|letzten|heutigen|price)_)tags? labels? etikett* etykiet* schlagw* stichw*
       etiquetas? etiquettes? etichett* category categories categorias? categorie kategorie*`,
    ),
    signs:
      /(?<!\p{L})(?:тег|тэг|метк|ярлык)|категори(?!ч)|классиф|标签|標籤|分类|分類|归类|タグ|ラベル|태그|라벨|분류|(?<!م)وسم|وسوم|تصنيف|תגית|תגיות|תווית|תוויות|ετικετ|κατηγορι/u,
  },
  schema: {
    names: words('schema* esquemas?'),
    parts: words('fields? feld felder feldes champs? campos? campi columns? spalten? colonn*'),
    signs: /схем|模式|字段|欄位|スキーマ|フィールド|스키마|필드|مخطط|סכמה|סכימה|σχημα/u,
  },
  prompt: {
    names: words(`prompts?(?!_(?:pay*|deliver*|repl*|respon*|attention|settlement|shipment|service|action|notice))`),
    parts: words('instructions? anweisung* consignes? istruzion*'),
    signs: /промпт|提示|プロンプト|프롬프트/u,
  },
};

/** Kinds that tools of their own look after: the user means them by what they hold, seldom by a word for the kind. */
const namedOtherwise = new Set(['task', 'document']);

const change = words(
  `updat* edit edited editing change(?!_of) changed changing renam* rewrit* reword* rephras* replac* add(?!_up) adds adding added insert* fix fixed correct* improv* adjust*
   move merge exten* translat* shorten* color* colour* append* adapt* modif* revis*
   ander* anpass* passe umbenenn* benenn* nenne* ersetz* hinzu* erganz* erweiter* korrigier* berichtig* verbesser* umschreib* uberarbeit*
   ubersetz* kurze* renomm* remplac* ajout* corrig* amelior* appel* rajout*
   cambi* modific* renombr* reemplaz* anad* agreg* mejor* llam* rinomin* sostitu* aggiung* corregg* miglior* chiam*`,
);
/** They say so of what can be nothing but an object. */
const wish = words(
  `set call make let should must need needed needs want instead also put give turn write soll sollen sollte muss nimm nehm* mach mache setz setze
   fuge schreib* gib brauch* auch statt mets mette* mettre ecri* faut doit doivent pon ponle poner debe deben escrib* deve devono scriv*`,
);
const wishedPart =
  /(?:^| )(?:also (?:need|want)|(?:need|want|brauch\p{L}*|faut)(?: [^ ]+)? (?:an?|another|more|new|one more|ein\p{L}*|noch|une?)) /u;
const changeSigns = /измен|переим|замен|добав|исправ|改|换|換|加|变|変|更|수정|변경|추가|غير|عدل|שנה|הוסף|αλλαξ|προσθ/u;

/** What an argument refers to: `tag` of `tag_ids.0` and of `add_tag_ids.0`. */
export function kindOf(path: string): string {
  const parts = wordsOf(path);
  const at = parts.findIndex((word) => /^(?:rev)?ids?$/u.test(word));
  return parts[Math.max(0, at - 1)] ?? '';
}

/** Whether the user ordered something with objects of this kind. */
export function speaksOfKind(kind: string, person: Person): boolean {
  const { names, signs } = kindWords(kind);
  return isOrdered(person, names, ...(signs ? [signs] : [])) || (kind === 'tag' && asksToFile(person));
}

const otherOne =
  /(?:^| )(?:(?:the|an?) other(?: one)?|d(?:er|ie|as|en) andere\p{L}*|l autre|une? autre|(?:la|el) otr[ao]|l altr[ao]|de andere|drug[aią]\p{L}*|другой|другую)(?: |$)/u;

/** Whether the user left the choice among objects of this kind to the model. “Put the tag Urgent on it” chooses one. */
function leavesKind(kind: string, { ownWords, catalog }: SeenContent): boolean {
  const { names, signs } = kindWords(kind);
  if (refersTo(ownWords, names, ...(signs ? [signs] : []))) return true;
  if (!speaksOfKind(kind, ownWords)) return false;
  if (kind === 'tag' && asksToFile(ownWords)) return true;
  const clauses = orderingClauses(ownWords);
  return clauses.some(
    (clause) =>
      otherOne.test(clause) || signs?.test(clause) === true || names.test(withoutNamed(clause, names, catalog)),
  );
}

const maxWordsOfName = 8;

/** A clause without the words of the kind beside which the name of an object stands: “the tag Urgent”, “the Urgent tag”. */
function withoutNamed(clause: string, kind: RegExp, catalog: SeenContent['catalog']): string {
  const said = clause.split(' ');
  const isName = (from: number, to: number): boolean => catalog.has(wordsOf(said.slice(from, to).join(' ')).join(' '));
  return said
    .filter((word, at) => {
      if (!kind.test(word)) return true;
      for (let length = 1; length <= maxWordsOfName; length += 1) {
        if (isName(at + 1, at + 1 + length) || (at >= length && isName(at - length, at))) return false;
      }
      return true;
    })
    .join(' ');
}

const kindWords = (kind: string): KindWords => wordsOfKinds[kind] ?? { names: words(`${kind} ${kind}s`) };

const asksToDelete = (person: Person): boolean => isOrdered(person, deletion, emptying, deletionSigns);

/** Whether the user orders something by one of these verbs. */
export const ordersBy = (verbs: readonly string[], person: Person): boolean =>
  isOrdered(person, words(verbs.join(' ')));

/**
 * A document can have chosen what the user did not: one was read, or a name is long enough to hold an order. A program's call
 * has no messages of a user to compare with.
 */
const canBeChosen = ({ person, document, carriers }: SeenContent): boolean =>
  !person.isEmpty && (!document.isEmpty || carriers.length > 0);

/** Whether a deletion was asked for by nobody: a document can order it in any words, which no search finds. */
export function isUnaskedDeletion(effect: Effect, tool: string, seen: SeenContent, target?: unknown): boolean {
  if (effect !== 'delete' || !canBeChosen(seen)) return false;
  const clauses = orderedAtOnce(seen.deletionOrders, deletion, emptying, deletionSigns);
  return !clauses.some(
    (clause) => tool !== 'delete_document' || !(isOfAPart(clause) || namesAnother(clause, target, seen)),
  );
}

/** Words by which users ask for what a setting widens. */
const wordsOfSettings: Readonly<Record<string, RegExp>> = {
  is_shared: words(
    `shar* everyone everybody anyone team company organi[sz]ation public* colleague* members for_all geteilt* teil(?:e|en)?(?!_(?:mir|uns)) fur_alle firma unternehmen
     kolleg* partag* equipe entreprise collegue* pour_tous compart* para_todos equipo empresa colega* condivi* per_tutti squadra azienda collegh* gedeeld*
     deel(?!_(?:van|mij|me)) delen iedereen udostepn* dla_wszystkich общ*_доступ* поделись поделиться для_всех команд* коллег*`,
  ),
};

/** Whether nobody spoke of what a setting widens, such as a view that everybody sees. */
export function isUnaskedSetting(name: string, seen: SeenContent): boolean {
  const spoken = wordsOfSettings[name];
  return spoken !== undefined && canBeChosen(seen) && !isOrdered(seen.ownWords, spoken);
}

/** Words for parts of a document and for other objects: removing one of them deletes no document. */
const partsOfDocuments = words(`
  tags? labels? etikett* etykiet* schlagw* stichw* etiquetas? etiquettes? etichett* prompts? schema* esquemas? fields? feld felder champs? campos? campi columns? spalten?
  colonn* rows? lines? values? entry entries cells? pages? zeilen? wert werte eintrag* zelle* seiten? lignes? valeurs? filas? valor valores paginas? rig[ah]* valori`);
const documents = words(`
  document* dokument* file files datei* fichier* archivo* arquivo* bestand* plik* pdf* invoice* rechnung* factur* fattur* letters? brief* vertrag* contract* contrat*
  it them everything es ihn alles lo tout todo tutto`);

/** “Remove the tag Urgent from this document” orders no deletion of the document. */
function isOfAPart(clause: string): boolean {
  const at = clause.search(partsOfDocuments);
  const document = clause.search(documents);
  return at !== -1 && (document === -1 || document > at);
}

/** “Remove Urgent” orders no deletion of the document. */
function namesAnother(clause: string, target: unknown, { catalog, namesOf }: SeenContent): boolean {
  if (documents.test(clause)) return false;
  const own = (namesOf.get(String(target)) ?? []).map((name) => wordsOf(name).join(' '));
  const said = clause.split(' ').slice(0, 50);
  return said.some((_, from) =>
    said.slice(from, from + maxWordsOfName).some((_word, length) => {
      const name = said.slice(from, from + length + 1).join(' ');
      return catalog.has(name) && !own.includes(name) && !deletion.test(name);
    }),
  );
}

/**
 * Whether nobody spoke of an object that a call changes or uses. The user leaves the choice to the model by an order with its
 * kind or with what the tool makes or does, as in “put the right tag on it” or “read this”, and of a change if the object
 * itself is changed. A question or “do not delete it” leaves nothing to it. Another object has been chosen by what the model
 * has read. Its words cannot be searched for: they can be a translation, a synonym or “the second one of the list”.
 */
export function isUnaskedObject(
  id: string,
  path: string,
  role: ArgumentRole,
  tool: string,
  seen: SeenContent,
): boolean {
  const kind = kindOf(path);
  if ((role !== 'target' && role !== 'reference') || namedOtherwise.has(kind)) return false;
  if (!canBeChosen(seen) || seen.working.has(id)) return false;
  const { ownWords: person } = seen;
  if (role === 'target') return !ordersChangeOf(kind, seen);
  if (speaksOfUse(tool, person) || (leavesKind(kind, seen) && !isLeftByUseAlone(tool))) return false;
  // “What is the result?” orders no release of one.
  const made = hasKnownUse(tool) ? [] : wordsOf(tool).slice(1);
  return !made.some((noun) => !namedOtherwise.has(noun) && speaksOfKind(noun, person));
}

function ordersChangeOf(kind: string, seen: SeenContent): boolean {
  const { ownWords: person } = seen;
  if (leavesKind(kind, seen)) {
    return isOrdered(person, change, wish, changeSigns) || asksToDelete(person);
  }
  const { parts } = kindWords(kind);
  const ways = [change, wishedPart, deletion, emptying];
  return orderingClauses(person).some((clause) => parts?.test(clause) && ways.some((way) => way.test(clause)));
}
