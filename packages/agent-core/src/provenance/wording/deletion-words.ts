import { anyOf, lead } from './word-patterns.ts';

const doneTo = (participles: string): string =>
  `(?:be|get|want|wants|need|needs|like|have|soll|sollen|muss|mussen|kann|konnen|darf|durfen|werden)(?: [^ ]+){0,4} ${anyOf(participles)}`;

/** All patterns are of lower-case words without accents, divided by single spaces. */
export const deletion = new RegExp(
  `(?:^| )(?:${anyOf(`
    delete remove erase discard trash purge destroy losch losche loschen loscht entferne entfernen beseitige beseitigen aufraumen wegwerfen
    verwirf verwerfen supprime supprimer supprimez efface effacer effacez retire retirer retirez enleve enlever enlevez vire virez jette jeter jetez
    quita quitar quitalo quitala quitalos quitalas quitelo togli toglilo toglila togliere butta buttalo buttala buttali buttale buttare exclua excluir exclui
    verwijder verwijderen wis wissen gooi usun usunac usuncie skasuj skasowac wyrzuc wyrzucic wywal deshazte debarrasse debarrassez scrap ditch radera slet slett fjern delte delet deleet dlete remvoe
    sil silin silebilir smaz smazte smazat odstran odstrante odstranit vymaz sterge stergeti stergi poista torold torolje hapus xoa видали видалити видаліть`)}|ta(?: [^ ]+){0,3} bort|(?:borr[ae]|cestin[ai]|suprim[ea]|cancell[ai]|rimuov|apag(?:a|ue)|remov(?:a|e|er)(?= |l|$)|elimin(?!ation|aci|azion))\\p{L}*|get rid of|throw(?: [^ ]+){0,4} (?:away|out)|clean(?: [^ ]+){0,3} up|clear(?: [^ ]+){0,3} (?:out|up|away)|tidy|raum(?:e|t)?(?: [^ ]+){0,4} auf|(?:bin|drop|trash) (?:it|this|that|them|these|those|the)|(?:in|into|to) the (?:bin|trash|recycle bin)|(?:wirf|werft|schmei\\p{L}*|mach|tu)(?: [^ ]+){0,4} (?:weg|raus)|(?:haal|doe)(?: [^ ]+){0,4} weg|(?:deita|deite|joga|jogue|bota|tira)(?: [^ ]+){0,4} fora|(?:it|this|that|these|those|they) can go$|pozbadz sie|(?:kann|konnen|muss|mussen|soll|sollen|darf)(?: [^ ]+){0,3} (?:weg|raus)|(?:weg|raus) (?:damit|mit)|papierkorb|corbeille|papelera|cestino|lixeira|prullenbak|${doneTo('deleted removed erased discarded trashed purged destroyed geloscht entfernt')})(?= |$)`,
  'u',
);
/** Verbs that mean a deletion only at the beginning of an order and with its object: “the bank must clear the cheque”. */
export const emptying = new RegExp(
  `^${lead}(?:(?:clear|wipe|empty|strip) (?:it|its|this|that|them|these|those|the|all|every|each|both|any|my|our)|(?:leere|leert|vide|videz|vacia|vacie|svuota|svuotate|esvazie|leeg) (?:[^ ]+ )*[^ ]+)(?= |$)`,
  'u',
);
/** Words of scripts that fold otherwise are told by their characters. */
export const deletionSigns =
  /удал|сотри|стереть|убери|убрать|выброс|выкин|删除|刪除|删掉|刪掉|删了|移除|清除|去掉|扔掉|丢掉|[删刪](?=[这這它该該吧])|削除|消去|消して|捨て|삭제|지워|버려|없애|احذف|حذف|امسح|تخلص|(?<!\p{L})ازل|מחק|הסר|διαγρα/u;

/** Whether words order a deletion. */
export const saysDelete = (words: string): boolean =>
  [deletion, emptying, deletionSigns].some((pattern) => pattern.test(words));
