import { anyOf, lead } from './word-patterns.ts';

/** “Delete it when I say so”: the sentence orders nothing yet. */
const deferred = new RegExp(
  `(?:^| )(?:${[
    '(?:when|once|if|until|unless|after|as soon as|till) (?:i|we) (?:say|tell|ask|confirm|approve|give|let|order|want|decide)',
    '(?:once|after|until|only when) (?:i|we) have',
    '(?:as soon as (?:i|we)|sobald (?:ich|wir)|des que (?:je|j|nous)|en cuanto (?:yo )?te|assim que (?:eu|nos)|logo que eu|zodra (?:ik|we|wij)|non appena (?:io )?(?:te|ti)) .+',
    '(?:only after|not before|once) (?:my|our|the)(?: [^ ]+){1,3}',
    'nach (?:meiner|unserer) [^ ]+|(?:qu |seulement )apres (?:mon|notre|ma) [^ ]+|(?:solo|solamente) (?:si|tras|despues)|(?:solo )?dopo (?:la|il) mi[ao] [^ ]+|so (?:depois|apos|se|quando)|(?:pas|alleen) (?:na|als)|dopiero (?:po|jak|gdy)|tylko (?:po|jesli)|только (?:после|если|когда)',
    '(?:wenn|sobald|bis|falls|nachdem) (?:ich|wir) (?:es |das |dir |ihnen |dich |sie )*(?:sag|bitte|bestatig|freigeb|will|mocht|wunsch|zustimm|melde|mich)\\p{L}*',
    '(?:quand|lorsque|si|des que|une fois que|apres que) (?:je|j|nous) (?:te |vous |l |le |la |les |y |en |m |me )*(?:di[rst]|dema|conf|appr|don|aur|avert|vou)\\p{L}*',
    '(?:cuando|si|hasta que|en cuanto|una vez que) (?:yo )?(?:te |se |lo |la |los |las )*(?:diga|digo|avis\\p{L}*|pid[ao]|confirm\\p{L}*|apruebe)',
    '(?:quando|se|appena|finche|dopo che) (?:io )?(?:non )?(?:te |ve |ti |vi |lo |la |li |le )*(?:dico|diro|chied\\p{L}*|conferm\\p{L}*|approv\\p{L}*)',
    '(?:quando|se|assim que|depois que|depois de) (?:eu )?(?:te |lhe |o |a )*(?:mandar|disser|pedir|confirmar|avisar|aprovar)',
    '(?:als|wanneer|zodra|tot|nadat) (?:ik|we|wij) (?:het |dat |je |u |erom )*(?:zeg|vraag|bevestig|goedkeur|wil|laat|heb)',
    '(?:gdy|jak|kiedy|jesli|dopiero gdy) (?:ja )?(?:ci |to |cie |o to )*(?:powiem|poprosze|potwierdze|dam|kaze)',
    '(?:когда|если|как только|пока|после того как) (?:я |мы )?(?:тебе |вам |это |не )*(?:скаж|попрош|подтверж|дам|разреш|велю)\\p{L}*',
  ].join('|')})(?= |$)`,
  'u',
);
/**
 * “If the client agrees, delete it”: whether it is so, the model says, and a document can claim it. “When you are done, delete it” and
 * “if possible” are no conditions of that kind.
 */
const conditional = new RegExp(
  `(?:^| )(?:${[
    'if(?! (?:possible|necessary|needed|so)(?: |$))|(?:once|when|whenever|after|as soon as)(?! (?:possible|necessary|needed|more|again|that|this|reading|done)(?: |$))',
    'unless|until|till|provided|assuming|in case|should (?:it|the|they|he|she|my|our)',
    '(?:wenn|falls|sobald|sofern|nachdem|bis)(?! (?:moglich|notig)(?: |$))',
    '(?:si|quand|lorsque|des que|une fois|apres que|a condition)(?! (?:possible)(?: |$))',
    'cuando|en cuanto|una vez que|hasta que|siempre que|quando|assim que|depois que|caso|appena|dopo che|una volta che|qualora',
    'se (?:o|a|os|as|il|la|lo|l|gli|le|i|nao|non|for|e|estiver|sono|ja|gia)|als (?:de|het|een|er|alles|mijn|onze|dit|dat|iemand)|zodra|wanneer|nadat|mits',
    'gdy|jesli|jezeli|kiedy|jak tylko|если|когда|как только|после того как|пока не|اذا|عندما|بعد ان|حالما|אם|כאשר|לאחר ש[^ ]*|αν|οταν|μολις',
  ].join('|')})(?= |$)`,
  'u',
);
const conditionalSigns =
  /如果|要是|倘若|一旦|的[话話]|等.{1,10}(?:后|後|再|[时時])|(?:之后|之後|以后|以後)再|(?:たら|れば|なら)|場合|次第|(?:されて|した|された)(?:から|後)|(?:되|하|으|이)면|경우|후에/u;
const deferredSigns =
  /[等待][我].{0,6}(?:[说說]|通知|确认|確認|同意|告[诉訴]|吩咐)|[经經][我].{0,6}(?:同意|批准|确认|確認)|(?:如果|要是|除非)我|我.{0,4}(?:[说說]|确认|確認|同意|通知|批准)(?:了|过|後|后|之后|以后|的[时時]候)|(?:言った|指示した|頼んだ|確認した|承認した|合図した|お願いした)(?:ら|とき|時|後)|(?:確認|承認|指示)の?後に|(?:말하면|요청하면|확인하면|지시하면|말할 ?때)/u;

/** Whether a sentence orders nothing yet: it waits for a sign of the user. */
export const isDeferred = (words: string, sentence: string): boolean =>
  deferred.test(words) || deferredSigns.test(sentence);

/** Whether a sentence names a condition. */
export const namesCondition = (words: string, sentence: string): boolean =>
  conditional.test(words) || conditionalSigns.test(sentence);

const weekdays = `
  monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi
  mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo lunedi martedi mercoledi giovedi venerdi sabato
  domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag poniedziałek wtorek srode czwartek piatek sobote niedziele segunda terca
  quarta quinta sexta понедельник вторник среду четверг пятницу субботу воскресенье`;
const amount = String.raw`(?:\d+|an?|one|two|three|four|six|ten|some|(?:a )?few|(?:a )?couple of|ein\p{L}*|zwei|drei|vier|sechs|zehn|paar|une?|deux|trois|quatre|quelques|un[ao]?|dos|tres|cuatro|unos|unas|due|tre|quattro|qualche|een|twee|drie|vier|enkele|dwa|dwie|trzy|kilka|dois|duas|alguns|algumas|uns|два|две|три|несколько)`;
const period = String.raw`(?:days?|weeks?|months?|years?|hours?|minutes?|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|minuten|jours?|semaines?|mois|ans?|heures?|dias|semanas?|mes(?:es)?|anos?|horas?|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|or[ae]|dag(?:en)?|weken?|maand(?:en)?|jaar|uur|dni|tydzien|tygodni\p{L}*|miesiac\p{L}*|godzin\p{L}*|днеи|дня|недел\p{L}*|месяц\p{L}*|час\p{L}*)`;
/** A time that is not now, without an object that it describes. */
const time = `(?:${[
  `(?:the )?day after tomorrow|tomorrow(?: morning| evening)?|(?:next|the following|the coming) ${anyOf(`week month year quarter ${weekdays}`)}|later(?: on)?|some other time`,
  `(?:in|within|after|over|dans|en|dentro de|tra|fra|za|daqui a|em|через) ${amount} ${period}|za (?:tydzien|miesiac|rok)|через (?:неделю|месяц|час|год)`,
  `(?:(?:not )?(?:before|until)|(?:only )?on|am|(?:erst )?(?:am|kommenden|nachsten)|el(?: proximo)?|op|(?:dopiero )?we?|na|no|в|во) (?:next )?${anyOf(weekdays)}(?: prochain| proximo| prossimo)?`,
  '(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunedi|martedi|mercoledi|giovedi|venerdi|domenica)(?: prochain| prossim[oa])?',
  String.raw`(?:at|by|until) the end of (?:the|this) (?:\p{L}+)|(?:am|zum|bis) ende (?:der|des) \p{L}+|(?:a la fin|a la fin de|fin) (?:du|de la) \p{L}+|a fin(?:es|al)? (?:de|del|del la) \p{L}+|a fine \p{L}+|aan het einde? van de \p{L}+|no (?:fim|final) d[oae] \p{L}+`,
  String.raw`ubermorgen|(?:heute abend|morgen)(?: fruh| abend| mittag)?|(?:in der |im |am )?(?:nachste|kommende)\p{L}? (?:woche|monat|jahr|quartal|tag\p{L}*)|spater|demnachst`,
  'apres demain|demain(?: matin| soir)?|(?:la semaine|le mois|l annee) prochaine?|plus tard',
  'pasado manana|manana|(?:la|el) (?:proxim[oa] )?(?:semana|mes|ano)(?: que viene| proximo| proxima)|la proxima semana|el proximo (?:mes|ano)|mas tarde',
  'dopodomani|domani(?: mattina| sera)?|(?:la |il )?(?:prossim[oa] (?:settimana|mese|anno)|(?:settimana|mese|anno) prossim[oa])|piu tardi',
  'overmorgen|volgende? (?:week|maand|jaar)',
  'pojutrze|jutro|w przyszłym (?:tygodniu|miesiacu|roku)|pozniej',
  'depois de amanha|amanha|(?:na|no) proxim[oa] (?:semana|mes|ano)|mais tarde',
  'послезавтра|завтра|на следующеи неделе|в следующем (?:месяце|году)|позже|потом',
].join('|')})`;
const politeEnd = String.raw`(?: (?:please|pls|bitte|thanks|thank you|danke|svp|s il te plait|s il vous plait|merci|por favor|gracias|per favore|grazie|graag|alstublieft|alsjeblieft|prosze|obrigad[oa]|пожалуиста|at \d+|um \d+(?: uhr)?))*`;
/** “The agenda for tomorrow” and “this morning” in German name no time of the order. */
const describing = `(?<!(?:^| )${anyOf(`
  for from of since by until fur von vom des zum bis de du d pour del di dal per van voor tot na z ze do para da dos por la esta per
  heute gestern guten jeden sooner`)})`;
const timeAtStart = new RegExp(`^${lead}${time}(?: |$)`, 'u');
const timeAtEnd = new RegExp(`${describing} ${time}${politeEnd}$`, 'u');
const timeAlone = new RegExp(`^${lead}${time}${politeEnd}$`, 'u');
/** “The letter that came on Friday” */
const saysMore =
  /(?:^| )(?:that|which|who|from|dated|sent|came|arrived|received|uploaded|i|we|den|der|qui|que|che|dat|die|ktory|ktora|ktore|ktorą|которыи|которая|которое)(?= )(?!.* (?:to|zu) )/u;
/** “Only after the audit”, anywhere in its clause. */
const onlyThen =
  /(?:^| )(?:only (?:after|on|in|when|if|once|at|from)|erst (?:nach|am|ab|im|in|wenn|dann|zum|um|spater|nachste\p{L}*|kommende\p{L}*|ubermorgen|morgen)|seulement (?:apres|dans|le|a|en)|qu apres|pas avant|(?:solo|solamente) (?:despues|tras|en|el|a partir)|no antes de|solo (?:dopo|tra|fra|da)|non prima d\p{L}*|pas (?:na|op|in|over|vanaf|vanavond|morgen)|niet voor|dopiero|so (?:depois|apos|na|no|em|a partir)|nao antes|только (?:после|в|через)|не раньше)(?= |$)/u;
const laterSigns =
  /(?:明天|后天|後天|下周|下週|下个月|以后|稍后|稍後)(?!的)|(?:明日|あさって|来週|来月)(?!の)|後で|あとで|내일|다음 ?(?:주|달)|나중에|(?:^| )(?:غدا|لاحقا|بعد غد|الاسبوع القادم|מחר|מחרתיים|אחר כך|αυριο|αργοτερα)(?= |$)/u;

/** Whether a clause says when: tomorrow, on Friday, only after the audit. */
export const isForLater = (words: string): boolean =>
  onlyThen.test(words) || laterSigns.test(words) || timeAtStart.test(words) || isTimeAtEnd(words);

function isTimeAtEnd(words: string): boolean {
  const found = timeAtEnd.exec(words);
  return found !== null && !saysMore.test(words.slice(0, found.index + 1));
}

/** Whether a clause is a time that is not now and nothing else. */
export const isTime = (words: string): boolean => timeAlone.test(words);

/** “If possible”, “when you are done”: no condition that a document can claim to be met. */
const formality = new RegExp(
  `(?:^| )(?:${[
    'after all(?= (?:please|now|then)|$)',
    '(?:if|when|where|wherever|once|after|as soon as) (?:possible|necessary|needed|(?:it s|it is|that s) (?:possible|ok(?:ay)?|fine|no trouble)|you (?:can|could|like|want|please|may|would|wouldn t mind|don t mind)|(?:you are|you re|you have|you ve|done|finished|you) (?:done|finished|ready|read|through|reading)|done|finished)',
    '(?:wenn|falls|sobald) (?:moglich|notig|es (?:geht|moglich ist)|(?:du|sie) (?:fertig|magst|kannst|konnen|willst|mochtest|soweit|es gelesen|ihn gelesen|sie gelesen))',
    '(?:si|quand|des que) (?:possible|c est possible|necessaire|tu (?:peux|veux|as (?:fini|lu))|vous (?:pouvez|voulez|avez (?:fini|lu)))',
    '(?:si|cuando|en cuanto) (?:es posible|puedes|puede|quieres|quiere|hayas (?:terminado|leido)|termines)',
    '(?:se|quando|appena) (?:possibile|e possibile|puoi|vuoi|hai (?:finito|letto)|possivel|for possivel|puderes|quiseres|podes|tiveres (?:acabado|lido))',
    '(?:als|wanneer|zodra|indien) (?:mogelijk|het kan|je (?:kunt|wilt|klaar)|dat kan)',
    '(?:jesli|jak|gdy) (?:mozesz|mozna|to mozliwe|chcesz|skonczysz|przeczytasz)|если (?:можно|можешь|возможно)|когда (?:закончишь|прочтешь|прочитаешь)',
  ].join('|')})(?= |$)`,
  'gu',
);

/** A clause without conditions of politeness and those that wait only for the agent. */
export const withoutFormality = (words: string): string => words.replace(formality, '').trim();
