import type { ArgumentRole } from '../tool/argument-role.ts';
import type { Effect } from '../tool/tool.ts';
import { hasKnownUse, speaksOfUse } from './asked-use.ts';
import type { SeenContent } from './seen-content.ts';
import { wordsOf } from './text-index.ts';

/**
 * Words by which users speak of an object of a kind, in several languages, without accents. One of five letters or more stands
 * for all that begin so.
 */
const wordsOfKinds: Readonly<Record<string, readonly string[]>> = {
  tag: list(
    `tag tagged tagging label etikett schlagw stichw etiquet etichett categorie categorise categorisi categoriz
     categoria category kategorie kategorisier class clasif klass einordn einsort sort sortier organi ableg zuordn`,
  ),
  schema: list('schema esquema field feld felder champ campo campi column spalt colonn'),
  prompt: list('prompt instruct anweis consign istruz extract extrah extrai extrae ausles einlesen estra estrai'),
};

/** Kinds that tools of their own look after: the user means them by what they hold, seldom by a word for the kind. */
const namedOtherwise = new Set(['task', 'document']);

/** The same of scripts that fold otherwise, told by their characters, without accents. What also stands within other words counts at the beginning of one. */
const signsOfKinds: Readonly<Record<string, RegExp>> = {
  tag: /(?<!\p{L})(?:тег|тэг|метк|ярлык)|категори(?!ч)|классиф|标签|標籤|分类|分類|归类|タグ|ラベル|태그|라벨|분류|(?<!م)وسم|وسوم|تصنيف|תגית|תגיות|תווית|תוויות|ετικετ|κατηγορι/u,
  schema: /схем|模式|字段|欄位|スキーマ|フィールド|스키마|필드|مخطط|סכמה|סכימה|σχημα/u,
  prompt: /промпт|извлеч|извлек|提示|提取|抽出|抽取|プロンプト|프롬프트|추출|استخراج|استخرج|חלץ|חילוץ|εξαγ/u,
};

const deletions = list(
  `delet remov erase erasing discard trash bin rid throw drop dropped purge clear clean tidy away destroy
   losch entfern weg wegwerf aufraum beseitig raus papierkorb supprim efface enlev jete jeter retir corbeille
   borra borre elimin quita quite suprim papelera cancell rimuov togli buttar cestin apaga remova exclu verwijder wis gooi
   usun skasuj slet radera`,
);

const changes = [
  ...deletions,
  ...list(
    `updat edit edited editing change chang renam rewrit reword rephras replac add adding added insert set fix fixed correct
     improv adjust call make move merge exten translat shorten color colour append adapt modif revis put give turn write let
     should must need needed want instead also
     ander pass passe anpass umbenenn benenn nenn nenne ersetz hinzu erganz erweiter korrigier berichtig verbesser soll sollen
     sollte muss nimm nehm mach mache setz setze fuge schreib umschreib uberarbeit ubersetz kurze gib brauch auch statt
     renomm remplac ajout corrig amelior met mets mettre ecri ecrire faut doit doivent appel rajout adapte
     cambi modific renombr reemplaz anad anade agreg mejor pon ponle poner llama llame debe deben escrib
     rinomin sostitu aggiung corregg miglior chiam deve devono scriv`,
  ),
];

/** Words of scripts that fold otherwise are told by their characters. */
const deletionSigns = /удал|стер|убер|删|刪|除|消去|삭제|지워|حذف|מחק|διαγρ/u;
const changeSigns = /измен|переим|замен|добав|исправ|改|换|換|加|变|変|更|수정|변경|추가|غير|عدل|שנה|הוסף|αλλαξ|προσθ/u;

function list(words: string): readonly string[] {
  return words.split(/\s+/u).filter((word) => word !== '');
}

/** Shorter ones begin too many other words. */
const minBeginning = 5;

const speaksOf = (person: SeenContent['person'], words: readonly string[]): boolean =>
  person.hasWord((said) =>
    words.some(
      (each) => said === each || said === `${each}s` || (each.length >= minBeginning && said.startsWith(each)),
    ),
  );

/** What an argument refers to: `tag` of `tag_ids.0` and of `add_tag_ids.0`. */
export function kindOf(path: string): string {
  const words = wordsOf(path);
  const at = words.findIndex((word) => /^(?:rev)?ids?$/u.test(word));
  return words[Math.max(0, at - 1)] ?? '';
}

/** Whether the user spoke of objects of this kind. */
export function speaksOfKind(kind: string, person: SeenContent['person']): boolean {
  const signs = signsOfKinds[kind];
  return speaksOf(person, wordsOfKinds[kind] ?? [kind]) || (signs !== undefined && person.hasText(signs));
}

const asksToDelete = (person: SeenContent['person']): boolean =>
  speaksOf(person, deletions) || person.hasText(deletionSigns);

/** A document can have chosen what the user did not: one was read. A program's call has no messages of a user to compare with. */
const canBeChosen = ({ person, document }: SeenContent): boolean => !person.isEmpty && !document.isEmpty;

/** Whether a deletion was asked for by nobody: a document can order it in any words, which no search finds. */
export function isUnaskedDeletion(effect: Effect, seen: SeenContent): boolean {
  return effect === 'delete' && canBeChosen(seen) && !asksToDelete(seen.person);
}

/**
 * Whether nobody spoke of an object that a call changes or uses. The user leaves the choice to the model by speaking of its
 * kind or of what the tool makes or does, as in “put the right tag on it” or “read this”, and of a change if the object
 * itself is changed. Another object has been chosen by what the model has read. Its words cannot be searched for: they can be
 * a translation, a synonym or “the second one of the list”.
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
  const { person } = seen;
  // “What is the result?” orders no release of one.
  const made = role === 'reference' && !hasKnownUse(tool) ? wordsOf(tool).slice(1) : [];
  const isSpokenOf =
    speaksOfKind(kind, person) ||
    (role === 'reference' && speaksOfUse(tool, person)) ||
    speaksOf(
      person,
      made.filter((noun) => !namedOtherwise.has(noun)),
    );
  if (!isSpokenOf) return true;
  return role === 'target' && !speaksOf(person, changes) && !person.hasText(changeSigns) && !asksToDelete(person);
}
