import { anyOf, otherThings } from './word-patterns.ts';

/** All patterns are of the words of a clause, in lower case without accents and divided by single spaces. */
const phrases = (list: string): string => anyOf(list).replaceAll('_', ' ');

const interjections = phrases(`
  no nope nah non nein ne nee nie nao oh ah ok okay sorry actually hm hmm well wait stop please oops ups pardon entschuldigung desole perdon scusa but and aber ach doch mais pero ma
  finalement bueno oye anzi nej нет ой so also donc alors entonces quindi dus`);
/** “No, stop, leave it”, “never mind”: what was ordered before is no longer wanted. */
const withdrawing = (list: string, before: string): RegExp =>
  new RegExp(
    `^(?:${before} )*(?:${phrases(list)})(?: |$)(?:(?:please|bitte|svp|por favor|per favore|thanks|danke|then|now|so|erst mal|erstmal|for now)(?: |$))*$`,
    'u',
  );
const withdrawal = withdrawing(
  `
    stop(?:_(?:it|that|now|everything))? halt stopp wait hold_on hang_on never_?mind abort forget_(?:it|that|this|about_(?:it|that)|what_i_said)
    leave_(?:it|that|this|them|everything|all)(?:_(?:alone|in|be|there))?(?:_as_(?:it_is|they_are))? keep_(?:it|that|this|them|everything)(?:_all)?(?:_(?:for_now|after_all))?
    cancel(?:_(?:it|that|this))? (?:scratch|scrap)_that (?:i|we)(?:_ve|_have)?_changed_(?:my|our)_minds? on_second_thoughts? i_take_(?:it|that)_back
    (?:it|this|that)_(?:should|must|shall|has_to)_stay(?:_here)? (?:i|we)_still_need_(?:it|this|that|them) (?:ich|wir)_brauchen?_(?:es|das|ihn|sie)_noch (?:das|es)_(?:soll|sollte|muss)_bleiben
    not_yet undo_(?:it|that|this) hold_off hold_your_horses (?:do_not|don_t)(?:_do)?_(?:it|that|this)
    no_way (?:certainly|absolutely|definitely)_not
    do_nothing (?:i_d_|i_would_)rather_keep_(?:it|that|this|them) (?:rather|better)_not actually_no(?:t)? no_actually(?:_not)?
    (?:lieber|doch|besser|noch|bloß|bitte|ja)_nicht auf_keinen_fall (?:tue?|mache?|machen_sie)_(?:es|das|dies)_(?:bitte_)?nicht (?:das_)?nicht_(?:machen|tun)
    vergiss_(?:es|das) lass(?:en_sie)?_(?:es|das|sie|ihn|alles)(?:_(?:sein|so|bleiben|drin|stehen|gut_sein))? warte(?:n_sie)?(?:_mal)? abbrechen
    abbruch kommando_zuruck (?:ich_)?(?:habe?|hab_s|habs)_(?:es_)?mir_anders_uberlegt behalt(?:e|en_sie)?_(?:es|sie|ihn|das)
    pas_encore surtout_pas pas_du_tout (?:ne_)?(?:le_|la_|les_)?fai(?:s|tes)_pas(?:_ca)?
    laisse(?:z)?_(?:tomber|le|la|les|ca|tout)(?:_(?:comme_ca|tranquille))? arrete(?:z)? attends attendez oublie(?:z)?(?:_(?:ca|le|cela))? annule(?:z)?(?:_(?:ca|tout))?
    finalement_non non_finalement garde(?:z)?_(?:le|la|les|ca)
    todavia_no aun_no no_(?:lo_|la_)?hagas?(?:_(?:eso|esto))? de_ninguna_manera
    dejal[oae]s?(?:_(?:asi|estar|como_esta))? deja_(?:eso|todo)(?:_asi)? olvidal[oae]s? olvida(?:te)?(?:_(?:eso|lo_dicho))? espera para alto mejor_no al_final_no
    non_ancora non_farlo non_lo_fare assolutamente_no
    lascia_(?:stare|perdere|cosi|tutto) lascial[oaie](?:_(?:li|stare|cosi))? aspetta fermati? dimentica(?:lo)? meglio_di_no anzi_no
    nog_niet niet_doen doe_(?:het|dat)_(?:maar_)?niet absoluut_niet
    laat_(?:maar|het|alles)(?:_(?:zitten|staan|zo))? wacht(?:_even)? toch_niet vergeet_(?:het|dat)
    ainda_nao nao_(?:o_)?fa(?:ca|cas)(?:_isso)? espera_ai de_jeito_nenhum
    deixa_(?:estar|assim|la|pra_la) esquece(?:_isso)? pera afinal_nao melhor_nao
    jeszcze_nie nie_rob(?:cie)?_tego zaczekaj
    zostaw(?:_(?:to|go|ja|je))? czekaj jednak_nie niewazne lat_det_vara lad_det_vare la_det_vare vent vanta glem_det glom_det
    еще_(?:не|нет) не_дела(?:и|ите)_этого погоди отмена
    оставь(?:_(?:его|ее|это|их))? стоп подожди забудь не_надо`,
  interjections,
);
/** “Wrong file”, “my mistake”, “one moment”: the reason for an order before it, or a withdrawal of one in an earlier message. */
const reasons = `
    my_mistake my_bad (?:the_)?wrong_(?:file|document|one) (?:just_)?(?:one|a)_(?:moment|second|sec|minute) (?:das_war_)?mein_fehler (?:das_(?:ist|war)_)?(?:die_|das_)?falsche[sn]?_(?:datei|dokument)
    (?:einen_)?(?:moment|augenblick)(?:_mal|_bitte)? (?:une?_)?(?:minute|seconde|instant) mauvais_(?:fichier|document) je_me_suis_trompee? un_(?:momento|segundo)
    me_(?:equivoque|he_equivocado)(?:_de_[^_]+)? (?:archivo|documento)_equivocado un_(?:attimo|momento) mi_sono_sbagliat[oa] file_sbagliato (?:een_)?moment(?:je)? verkeerde?_(?:bestand|document)
    um_(?:momento|instante) (?:enganei_me|me_enganei) (?:ficheiro|arquivo|documento)_errado chwil(?:a|eczke) минуту`;
const copulas = phrases('it_was it_is it_s that_was that_is that_s this_was this_is c_est c_etait es_war');
const reasonOrWithdrawal = withdrawing(reasons, `(?:${interjections}|${copulas})`);
const alarm = phrases('no nope nah non nein ne nee nie nao oh ah actually hm hmm wait stop oops ups нет ой');
const alarmOnly = new RegExp(`^(?:${alarm}(?: |$))+$`, 'u');
/** “Oops, wrong file” withdraws an order of the same message too. */
const startsAlarmed = new RegExp(`^(?:${interjections} )*?${alarm} `, 'u');
const withdrawalSigns =
  /^(?:不|不要)?(?:算了|等等|停下|住手)|[别別][删刪]|^やめて|^待って|^やっぱり|^그만|^취소|^잠깐/u;

/** “Do not.” “Do not, at any price, read it” forbids what follows. */
const refusal = /^(?:(?:no|nein|please|bitte) )*(?:do not|don t|dont|nicht)(?: please)?$/u;

/** Whether a whole sentence withdraws what was ordered before, and says no more. */
export const isRefusal = (words: string): boolean => refusal.test(words);

const no = phrases('no nope nah nein ne nee non nao nie nej нет ні οχι ala لا לא');
const besideNo = phrases(`
  oh ah hm hmm well sorry please thanks thank_you bitte danke doch lieber merci pardon por_favor gracias perdon scusa grazie obrigad[oa] desculpa joh dank_je dziekuje спасибо
  not_(?:this|that)(?:_one)? (?:nicht|nicht_das|nicht_die) (?:das|die|dieses?|den)_nicht pas_(?:ca|celui_ci|celui_la|celle_ci|celle_la) es[aoe]_no non_quest[ao] ess[ae]_nao niet_(?:die|deze|dat) nie_(?:ten|ta|to)`);
const bareNo = new RegExp(`^(?:${besideNo} )*${no}(?: (?:${no}|${besideNo}))*$`, 'u');
const bareNoSigns = /^(?:不|不是|不行|不要|[别別]|いいえ|いや|だめ|ダメ|아니요?|아뇨|안 ?돼요?)$/u;

/** Whether a whole sentence says no more than no. */
export const isBareNo = (words: string): boolean => bareNo.test(words) || bareNoSigns.test(words);

/** Whether a clause withdraws what was ordered before. */
export const isWithdrawn = (words: string): boolean =>
  withdrawal.test(words) || withdrawalSigns.test(words) || (isReasonOrWithdrawal(words) && startsAlarmed.test(words));

/** Whether a clause withdraws an order of an earlier message, and gives the reason of one before it in the same message. */
export const isReasonOrWithdrawal = (words: string): boolean => reasonOrWithdrawal.test(words);

/** Whether words are nothing but fright: “oops”, “oh no”. */
export const isAlarm = (words: string): boolean => alarmOnly.test(words.trim());

/** “Do not ask” and “don't forget to” forbid nothing. */
const insistence = new RegExp(
  `^(?:${interjections} )*(?:please |bitte )?(?:(?:do not|don t|dont|never) (?:ask(?: me| us| again| first| any questions)*|wait(?: for me| any longer)*|hesitate(?: to)?|bother(?: me| asking)*|(?:let (?:me|us) )?forget(?: to)?|worry)|frag(?:en sie|t)? (?:mich )?(?:nicht|nie)(?: lange| erst| nach| mehr| wieder| immer)*|(?:nicht|ohne) (?:lange |erst )?(?:zu )?(?:fragen|nachfragen|nachzufragen|zogern|warten)|warte nicht|vergiss nicht|ne (?:me )?demandez? (?:pas|rien)(?: encore)?|n oubliez? pas(?: de)?|n hesitez? pas(?: a)?|sans demander|no (?:me )?pregunt(?:es|e)(?: mas| nada)?|no olvid(?:es|e)|no dud(?:es|e)(?: en)?|sin preguntar|non (?:mi )?(?:chiedere|dimenticare(?: di)?|aspettare)|senza chiedere|vraag (?:het |me )?niet|vergeet niet(?: om)?|nie (?:pytaj|zapomnij|czekaj)|nao (?:perguntes|esquecas(?: de)?|pergunte|esqueca(?: de)?)|не (?:спрашивай|забудь|жди))(?= |$)`,
  'u',
);
const insistenceSigns = /^(?:不要|不用|[别別])(?:再)?(?:[问問]我?|忘了|等)/u;

/** A clause without words that forbid only a question or a delay. */
export const forbidsNothing = (words: string): string =>
  words.replace(insistence, '').replace(insistenceSigns, '').trim();

const contrast = new RegExp(
  `^(?:(?:and|und|et|y|e) )?${phrases(`
    just but instead rather only simply sondern aber nur einfach lieber mais plutot juste simplement sino pero solo solamente simplemente ma bensi
    semplicemente maar gewoon alleen ale tylko mas apenas so`)} `,
  'u',
);
/** “Not Urgent, but Paid”: a name, and no more words that could order. */
const instead = /^(?:sondern|but|mais|sino|ma|maar|ale|mas) ((?:[^ ]+ ?){1,3})$/u;
export const namedInstead = (words: string): string | undefined => instead.exec(words)?.[1];

/** “The invoice is not overdue” says how it is, “not Urgent” and “I did not mean Urgent” refuse one. */
const statement = new RegExp(
  `(?:^| )(?:${phrases('is are was were has have had does did s')} (?:[^ ]+ ){0,3}?(?:not|never)|${phrases('isn aren wasn weren hasn haven hadn doesn didn')} t|${phrases('ist sind war waren hat haben hatte wurde wurden')} (?:[^ ]+ ){0,3}?(?:nicht|nie|kein[^ ]*)|n (?:est|a|ont|etait|etaient) (?:pas|jamais)|ne sont pas|no (?:es|son|esta|estan|era|fue|ha|han)|non (?:e|sono|era|ha)|nao (?:e|esta|foi|sao)|${phrases('is zijn was werd heeft')} (?:[^ ]+ ){0,3}?niet|nie (?:jest|sa|byl[^ ]*))(?= |$)(?! (?:mean|say|want)(?: |$))`,
  'u',
);
export const statesNot = (words: string): boolean => statement.test(words);

/** “It is paid” says how it is. */
const copula = new RegExp(
  `^(?:[^ ]+ ){1,6}?(?:${phrases(`
    is are was were s re looks seems sounds has have had got ist sind war waren wurde wurden hat haben sieht scheint est sont etait a_ete ont semble
    fue son ha han parece sono risulta sembra esta estan foi sao zijn werd heeft lijkt jest sa byl\\p{L}* została? został`)}|(?<=[ao] )es)(?= )|^(?:es|e|est|esta|jest) [^ ]+$|^(?:[^ ]+ )*${phrases(`
    already bereits gia juz уже`)}(?= |$)`,
  'u',
);
/** What a sentence of this form can order: “it should be Paid”, “the right tag is Paid”, “make sure it is Paid”. */
const desired = new RegExp(
  `(?:^| )${phrases(`
    must should shall needs? wants? ha(?:ve|s)_to gets? goes missing decided (?:d|would)_(?:like|love) right_(?:one|answer|choice) (?:looks|sounds|seems)_(?:good|right|fine|great|ok) make let mark call be meant? please bitte soll\\p{L}* muss\\p{L}* fehlt richtige\\p{L}* kriegt bekommt mein\\p{L}* doit doivent devrait veux faut manque voulais debe\\p{L}* quiero falta correct[oa] deve dovrebbe
    voglio quero moet moeten wil powin\\p{L}* ma_byc долж\\p{L}* нужн\\p{L}* хочу`)}(?= |$)`,
  'u',
);
/** Whether a clause tells how something is, and orders nothing. */
export const states = (words: string): boolean =>
  copula.test(words) && !desired.test(words) && !otherThings.test(words);

/** “Paid has to go” */
export const hasToGo =
  / (?:(?:must|should|can|has to|have to|needs? to) go|(?:muss|mussen|soll|sollen|sollte|kann) (?:weg|raus|runter|ab)|doit partir|tiene que irse|deve andare via|moet (?:weg|eraf)|tem (?:de|que) sair)$/u;

/** What a clause that states speaks of: “it is” of “it is paid”. */
export const subjectOf = (words: string): string => copula.exec(words)?.[0] ?? '';

const openChoice = new RegExp(
  `(?:^| )(?:an?|some|one|which|what|right|fitting|matching|suitable|best|correct|proper|passende\\p{L}*|richtige\\p{L}*|ein\\p{L}*|welche\\p{L}*|une?|bonne?|quelle?|un[ao]?|cual|corrett[ao]|correct[ao]|giust[ao]|quale|juiste|passend\\p{L}*) ${otherThings.source}`,
  'u',
);
/** Whether a clause leaves open which tag or other thing is meant: “put the right tag on it”. */
export const leavesOpen = (words: string): boolean => openChoice.test(words);

/** “That is Paid”: an answer to which tag is meant. */
const pointing =
  /^(?:(?:yes|ja|oui|si|sim) )?(?:das|dies|this|that|c|esto|eso|questo|quello|dat|dit|isso) (?:ist|is|s|est|es|e) [^ ]+(?: [^ ]+)?$/u;
export const pointsOut = (words: string): boolean => pointing.test(words);

const withoutNegation = new RegExp(
  `(?:^| )${phrases('please bitte do_not don_t dont never not nicht ne pas no non nao niet')}(?= |$)`,
  'gu',
);
const needless =
  /(?:^| )(?:no need to|not necessary to|needn t|pas besoin de?|no hace falta|non (?:serve|occorre)|niet nodig) /u;

/**
 * Whether a clause behind one that forbids something orders: “don't ask, just delete it”, “do not use Urgent, use Paid”. “Do not delete,
 * remove or change it” forbids all of it.
 *
 * @param isOrder the clause begins with an imperative
 */
export function contrasts(forbidden: string, words: string, isOrder: boolean): boolean {
  if (!isOrder) return false;
  const [verb = ''] = forbidden.replace(withoutNegation, '').trim().split(' ');
  return contrast.test(words) || needless.test(forbidden) || (verb.length > 2 && words.startsWith(`${verb} `));
}

/** “All tags except Urgent”: what follows is not meant, also in the next parts of a list. */
const exception = new RegExp(
  `(?:^| )${phrases(`
    except(?:_for)? excepting excluding apart_from other_than save_for besides
    au(?:ß|ss)er bis_auf mit_ausnahme sauf excepte hormis a_part a_l_exception excepto salvo menos tranne eccetto fuorche behalve uitgezonderd oprocz poza
    z_wyjatkiem exceto кроме instead_of rather_than anstatt statt anstelle au_lieu en_vez_de en_lugar_de invece_di al_posto_di in_plaats_van`)}(?= |$)|(?<=(?:^| )(?:all|every|each|any|anything|everything|none|nothing)(?: [^ ]+){0,3} )but(?= )`,
  'u',
);
const butNot = /(?:^| )(?:not|nicht|pas|non|niet|nie|не)(?= )/u;

/**
 * The words of a clause that can name what is meant, those that say what is not, and whether the latter go on in the next clause of the
 * sentence. All are normalized.
 */
export function withoutException(words: string): readonly [meant: string, excepted: string, goesOn: boolean] {
  const at = words.search(exception);
  if (at !== -1) return [words.slice(0, at), words.slice(at), true];
  const not = words.search(butNot);
  return not === -1 ? [words, '', false] : [words.slice(0, not), words.slice(not), false];
}
