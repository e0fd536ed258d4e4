import { anyOf } from './word-patterns.ts';

/**
 * Tells letters, chats and other texts in a message from the user's own words where no mark and no header shows them: by their greeting and
 * closing, by who speaks in each line, or by an instruction that works on them. All texts are in lower case without accents.
 */

const greetings = anyOf(`
  hi hello hey dear good_morning good_afternoon good_evening hallo hi liebe lieber liebes guten_tag guten_morgen guten_abend moin servus
  sehr_geehrte sehr_geehrter sehr_geehrtes werte werter bonjour bonsoir salut cher chere chers cheres madame monsieur mesdames
  hola buenos_dias buenas buenas_tardes estimado estimada estimados estimadas querido querida ciao salve buongiorno buonasera gentile gentili
  gentilissimo gentilissima egregio egregia spett spettabile caro cara cari care beste geachte goedemorgen goedemiddag goedendag dag
  czesc dzien_dobry witam szanowny szanowna szanowni szanowne drogi droga ola bom_dia boa_tarde boa_noite prezado prezada prezados prezadas caros
  exmo exma exmos здравствуите привет уважаемый уважаемыи уважаемая уважаемые добрыи_день дорогои дорогая 您好 你好 尊敬的`).replaceAll(
  '_',
  ' ',
);
/** A line that greets, with whom it greets. */
const greeting = new RegExp(`^ *${greetings}((?:,? [^ ,!:.?]+\\.?){0,5}) *[,!:，：]? *$`, 'u');
/** They are said to others, also without a name. */
const toOthers =
  /^ *(?:dear|sehr|werte|madame|monsieur|mesdames|estimad|gentil|egregi|spett|geachte|szanown|prezad|exm|уважаем|尊敬)/u;
/** They greet nobody by name: the product, or nobody. */
const nobody =
  /^(?: (?:there|again|you|du|docwright|assistant|assistent|ai|ki|bot|agent|system|an? alle|assistente|asistente|nochmal|noch mal|tag|morgen))*$/u;
/** “Hello please delete it” is no line that greets. */
const notNames = new RegExp(
  `(?:^| )${anyOf('please bitte kindly can could would you me my it this that por per s il puoi puedes peux kannst delete remove losch losche')}(?= |$)`,
  'u',
);
const thanks = anyOf(`
  thanks many_thanks thank_you thx cheers danke vielen_dank besten_dank merci gracias muchas_gracias grazie grazie_mille bedankt dank dank_je dzieki dziekuje obrigado obrigada
  спасибо`).replaceAll('_', ' ');
const formal = anyOf(`
  best all_the_best best_regards kind_regards warm_regards regards best_wishes sincerely yours yours_sincerely yours_faithfully yours_truly respectfully
  gruß gruße viele_gruße liebe_gruße beste_gruße schone_gruße herzliche_gruße freundliche_gruße mit_freundlichen_gruß\\p{L}* mit_freundlichem_gruß mit_besten_gruß\\p{L}*
  mit_lieben_gruß\\p{L}* lg vg mfg hochachtungsvoll cordialement bien_cordialement bien_a_vous bien_a_toi amities amicalement a_bientot salutations sinceres_salutations
  meilleures_salutations saludos un_saludo saludos_cordiales atentamente un_cordial_saludo un_abrazo abrazos cordiali_saluti distinti_saluti saluti un_saluto
  cordialmente a_presto met_vriendelijke_groet met_vriendelijke_groeten vriendelijke_groeten groet groeten groetjes hoogachtend mvg z_powazaniem pozdrawiam pozdrowienia
  serdecznie_pozdrawiam atenciosamente cumprimentos com_os_melhores_cumprimentos melhores_cumprimentos abraco abracos um_abraco cordiais_saudacoes
  с_уважением 此致 敬具 敬礼`).replaceAll('_', ' ');
const closing = new RegExp(
  `^ *(?:(${formal})|${thanks})(?: (?:and|und|et|y|e|en) ${formal})?(?: (?:from|aus|de|von|d avance|in advance|im voraus|\\p{L}+))?(?: *[,.!]* *|,(?<inline>(?: \\p{L}[\\p{L}.'’-]*){1,4}) *)$`,
  'u',
);
/** A line of a name, an office or an address below a closing. */
const signature = /^ *[^.!?？。]{1,60}\.? *$/u;
/** A line of a closing or of a name, in words that no list has: “Bises” above “Léa”. */
const shortLine = /^ *(?:[^ .!?,:]+ ?){1,3}[,.!]? *$/u;
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

const workVerbs = anyOf(`
  translate summari[sz]e explain rewrite reword rephrase paraphrase proofread correct shorten answer reply respond improve
  ubersetz\\p{L}* fass\\p{L}* erklar\\p{L}* formulier\\p{L}* umformulier\\p{L}* korrigier\\p{L}* kurz\\p{L}* beantwort\\p{L}* antwort\\p{L}* tradui\\p{L}* resum\\p{L}* expliqu\\p{L}* reformul\\p{L}*
  repond\\p{L}* corrig\\p{L}* traduc\\p{L}* traduz\\p{L}* respond\\p{L}* explic\\p{L}* riassum\\p{L}* rispond\\p{L}* spieg\\p{L}* corregg\\p{L}* vertaal vat samenvat\\p{L}* leg beantwoord antwoord herschrijf
  przetłumacz\\p{L}* stresc\\p{L}* wyjasnij\\p{L}* odpowiedz\\p{L}* popraw\\p{L}* переведи\\p{L}* перескажи\\p{L}* объясни\\p{L}* ответь\\p{L}*`);
const shown = anyOf(`
  this that it these them him her to das dies dieses es sie ihr ihm darauf mir ceci cela ca moi la lui l leur esto eso lo me le la mela melo
  questo questa ci lo mi dit dat het hierop to mi isto isso me lhe это мне text the_text den_text le_texte el_texto il_testo de_tekst tekst o_texto
  mail the_mail die_mail le_mail el_correo la_mail de_mail o_email message the_message letter the_letter den_brief`).replaceAll(
  '_',
  ' ',
);
/** “Summarise this document” names what it means. */
const ofProduct = anyOf(
  'document\\p{L}* dokument\\p{L}* documento\\p{L}* file\\p{L}* datei\\p{L}* fichier\\p{L}* archivo\\p{L}* arquivo\\p{L}* bestand plik\\p{L}* pages? seiten? tags? then and und',
);
/** “Summarise this”, “explain it to me”, “answer her”: a text stands beside it. */
const worksOnText = new RegExp(
  `^ *(?:(?:please|bitte|can you|could you|kannst du|por favor|per favore|peux tu|puedes|puoi|kun je|and|now) )*(?:${workVerbs}(?: (?:me|mir|moi|mi|that|for me))?[ -]${shown}|(?:traduc|resum|explic|riassum|spieg|correg|corrig|traduz|contest|respond|rispond)[^ ]*(?:l[oae]s?|gli|le|lhe)|(?:translate|summari[sz]e|ubersetzen?|zusammenfassen|riassumi|traduci|traduis|resume|vertaal|stresc|przetłumacz|traduz|переведи))(?: (?!${ofProduct}(?![\\p{L}]))[^ .!?:;,]+){0,5} *[.!:]? *$`,
  'u',
);
/** “What does she want?”, “what should I answer?” */
const asksAboutText = new RegExp(
  `^ *${anyOf(`
    what_does_(?:he|she|it|this|that)_(?:mean|want|say|ask) what_do_(?:they|these|you_think|i_answer|i_reply|we_answer|we_reply) what_did_.{1,30}_(?:want|mean|say|ask)
    what_is_this what_should_(?:i|we)_(?:answer|reply|say|write|do) how_(?:should|do|would)_(?:i|we)_(?:answer|reply|respond) what_is_(?:he|she|it|this|that)_(?:about|asking|saying) who_is_right who_wrote
    is_(?:this|that)_(?:right|correct|true|polite|serious|spam|genuine)
    was_(?:will|wollen|meint|heißt|bedeutet|soll_ich|sollen_wir|antworte|antworten|ist_das|schreib\\p{L}*) wie_(?:soll_ich|sollen_wir|antworte|antworten) worum_geht wer_hat_recht
    que_(?:veut|veulent|dit|repondre|dois_je|quiere|quieren|dice|significa|respondo|contesto|debo|quer|respondemos) qu_est_ce_que? je_reponds? che_(?:cosa_)?(?:vuole|vogliono|significa|dice|rispondo|devo) cosa_(?:vuole|vogliono|significa|dice|rispondo|devo)
    wat_(?:wil|willen|bedoelt|betekent|moet_ik|antwoord|staat) hoe_(?:moet|zal)_ik czego_chce czego_chca co_(?:to_znaczy|mam|odpowiedziec|on|ona) jak_(?:mam_)?odpowiedziec o_que_(?:quer|querem|significa|respondo|devo|ele|ela)
    чего_он\\p{L}* что_(?:он|она|это|ответить|мне)`).replaceAll('_', "[ '’-]")}(?![\\p{L}\\p{N}])[^.!\\n]*[?]? *$`,
  'u',
);
/** What follows on the user's own instruction: “then delete it”. */
const goesOn =
  /^ *(?:and|then|also|after|afterwards|when|finally|next|now|please then|und|dann|danach|anschließend|außerdem|et|puis|ensuite|aussi|y|luego|despues|tambien|e|poi|dopo|anche|en|dan|daarna|ook|i|potem|nastepnie|depois|tambem|и|потом|затем)(?= |,)/u;
/** From this number of words and sentences on a text can be one that others wrote. */
const minWords = 12;
const minSentences = 2;

const worksOn = (paragraph: string): boolean =>
  paragraph.length <= 200 && (worksOnText.test(paragraph) || asksAboutText.test(paragraph));

const isText = (paragraphs: readonly string[]): boolean => {
  const text = paragraphs.join(' ');
  const sentences = text.match(/[.!?。！？](?=\s|$)/gu)?.length ?? 0;
  return text.split(/\s+/u).length >= minWords && sentences >= minSentences && !goesOn.test(paragraphs[0] ?? '');
};

const speaker = /^ *([\p{L}][\p{L} .'’-]{0,24}?) ?[:：] ?[^\s/]/u;
const notSpeakers = new Set(
  'tag tags label name field column prompt schema file document datei dokument feld note ps todo title date number total summe betrag nummer datum etikett'.split(
    ' ',
  ),
);
const self = new Set('me ich moi yo io ik ja eu я 我'.split(' '));

/** A single question. */
const isQuestion = (paragraph: string): boolean => /^[^.!?。！？]{1,200}[?？] *$/u.test(paragraph);

/** A paragraph beside the user's own question: an order inside of a longer text is one of the text, at its edges it is the user's. */
function edgesOf(paragraph: string): string {
  const sentences = paragraph.split(/(?<=[.!?。！？])\s+/u);
  const isLong = sentences.length >= minSentencesAround && paragraph.split(/\s+/u).length >= minWordsAround;
  return isLong ? `${sentences[0]} ${sentences.at(-1)}` : paragraph;
}

const [minSentencesAround, minWordsAround] = [3, 25];

/** Lines of a chat: several speak, and one of them again, or the user. */
function speakers(lines: readonly string[]): ReadonlySet<string> {
  const turns = new Map<string, number>();
  for (const line of lines) {
    const name = speaker.exec(line)?.[1];
    if (name !== undefined && !notSpeakers.has(name)) turns.set(name, (turns.get(name) ?? 0) + 1);
  }
  const isChat = [...turns].some(([name, count]) => count > 1 || self.has(name));
  return isChat && turns.size > 1 ? new Set(turns.keys()) : new Set();
}

/** Lines of a letter, from and to: of one that the user wrote to the product there are none. */
function letterIn(lines: readonly string[]): readonly [number, number] | undefined {
  const first = lines.findIndex((line) => !isBlank(line));
  const starts = lines.findIndex((line, at) => isGreeting(line) && lines.slice(at + 1).some((next) => !isBlank(next)));
  const closes = lines.findLastIndex((line, at) => at > Math.max(starts, first) && closing.test(line));
  const isFormal = closes !== -1 && closing.exec(lines[closes]!)?.[1] !== undefined;
  const [ends, isSigned] = closes === -1 ? [lines.length, false] : endOfSignature(lines, closes);
  const isFollowed = lines.slice(ends).some((line) => !isBlank(line));
  if (starts === -1) {
    if (!isFormal || !isSigned) return undefined;
    const next = lines.findIndex((line, at) => at > first && isBlank(line));
    if (next !== -1 && next < closes && worksOn(lines.slice(first, next).join(' '))) return [next, ends];
    return isFollowed ? [first, ends] : undefined;
  }
  if (starts > first || (isFormal && isSigned)) return [starts, ends];
  const addressed = greeting.exec(lines[starts]!)![1]!;
  const isToOthers = addressed === '' ? toOthers.test(lines[starts]!) : !nobody.test(addressed);
  if (!isToOthers) return undefined;
  if (closes !== -1) return [starts, ends];
  const named = lines.findIndex(
    (line, at) => at > starts + 2 && shortLine.test(line) && shortLine.test(lines[at - 1]!) && isBlank(lines[at + 1]),
  );
  if (named !== -1) return [starts, named + 1];
  const last = paragraphsOf(lines.slice(starts)).at(-1) ?? '';
  return worksOn(last) || isQuestion(last) ? [starts, ends] : undefined;
}

function isGreeting(line: string): boolean {
  const found = greeting.exec(line);
  return found !== null && !notNames.test(found[1]!);
}

/** Where a letter ends below its closing, and whether a name stands there. */
function endOfSignature(lines: readonly string[], closes: number): readonly [number, boolean] {
  // “Regards, Ann”
  if (closing.exec(lines[closes]!)?.groups?.['inline'] !== undefined) return [closes + 1, true];
  let at = closes + 1;
  while (at < lines.length && isBlank(lines[at])) at += 1;
  const from = at;
  while (at < lines.length && at < from + 6 && !isBlank(lines[at]) && signature.test(lines[at]!)) at += 1;
  return [at, at > from];
}

const paragraphsOf = (lines: readonly string[]): string[] =>
  lines
    .join('\n')
    .split(/\n\s*\n/u)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');

/** The user's own lines of a message in which a letter, a chat or a text to work on stands. */
export function* withoutOthersText(text: string): Generator<void, string> {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  const letter = letterIn(lines);
  yield;
  const rest = letter === undefined ? lines : [...lines.slice(0, letter[0]), '', ...lines.slice(letter[1])];
  const spoken = speakers(rest);
  yield;
  const own = spoken.size === 0 ? rest : rest.filter((line) => !spoken.has(speaker.exec(line)?.[1] ?? ''));
  yield;
  const paragraphs = paragraphsOf(own);
  yield;
  const [first = '', last = ''] = [paragraphs[0], paragraphs.at(-1)];
  if (worksOn(first) && isText(paragraphs.slice(1))) return first;
  if (worksOn(last) && isText(paragraphs.slice(0, -1))) return last;
  const asks = (paragraph: string): boolean => worksOn(paragraph) || isQuestion(paragraph);
  return paragraphs.length > 1 && (asks(first) || asks(last)) ? paragraphs.map(edgesOf).join('\n') : own.join('\n');
}
