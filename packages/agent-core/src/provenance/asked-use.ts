import type { SeenContent } from './seen-content.ts';

/** How users ask for what a tool does. All patterns are of lower-case words without accents, divided by single spaces. */
interface Use {
  /** Imperatives and infinitives, whole. They also say so with no object: “please publish”. */
  readonly verbs: string;
  /** Verbs that are other words too, such as a name or an adjective: they say so only with an object. */
  readonly ambiguous: string;
  /** Infinitives that can follow their object: “bitte das Dokument freigeben”. */
  readonly last: string;
  /** Verbs of several words. */
  readonly phrases: string;
  /** The same of scripts other than Latin. */
  readonly signs: RegExp;
}

const anyOf = (words: string): string => `(?:${words.trim().split(/\s+/u).join('|')})`;
/** Up to three words between two of a phrase. */
const gap = '(?: [^ ]+){0,3}';

/** What can precede an imperative in its clause. */
const lead = `(?:(?:please|kindly|now|then|just|also|so|but|ok|okay|yes|hi|hello|first|finally|again|go ahead|let us|let s|lets|(?:can|could|would) you|(?:i|we) (?:want|need|d like|would like)(?: you)? to|bitte|jetzt|dann|mal|auch|ja|(?:kannst|konntest) du|konnen sie|konnten sie|veuillez|peux tu|pouvez vous|pourrais tu|pourriez vous|s il te plait|s il vous plait|svp|merci de|maintenant|por favor|puedes|puede|podrias|ahora|per favore|puoi|potresti|ora|pode|podes|agora|kun je|kunt u|graag|nu) )*`;
const objects = anyOf(`
  it this that these those them the all every each everything both my our me us him document documents doc docs file files page pages letter
  letters invoice invoices receipt receipts pdf form result results value values data total
  das dies diese dieses diesen es ihn sie den die alle alles mein meine unser unsere mir uns dokument dokumente datei rechnung rechnungen
  brief beleg ergebnis ergebnisse werte daten
  ce cet cette ces ca cela ceci le la l les moi nous tout tous toutes mon ma mes notre nos fichier lettre facture resultat resultats donnees
  este esta esto estos estas ese esa eso el los las lo todo todos todas mi documento documentos archivo carta factura resultado datos
  questo questa questi queste il i gli tutto tutti file lettera fattura risultato dati
  isto isso esse essa o os as tudo arquivo fatura dados dit deze het de dat alles brief factuur`);

const reading: Use = {
  verbs: anyOf(`
    process analyze analyse capture digitize digitise handle verarbeite verarbeiten analysiere analysieren erfasse erfassen digitalisiere
    einlesen einrichten traite traiter traitez analysez analyser saisis saisir saisissez procesa procesar procese analiza analizar
    analice lesen lezen leggi leggere leggete elabora elaborare processa processar analisa analisar analizza analizzare verwerk verwerken`),
  ambiguous: anyOf('read lies lese lis lire lisez lee leer lea lean ler leia leiam lees configure'),
  last: anyOf('lesen einlesen verarbeiten erfassen analysieren digitalisieren einrichten lezen verwerken'),
  phrases: `read again|get${gap} (?:data|values?)|set(?: [^ ]+){1,3} up|set up ${objects}|richte${gap} ein`,
  signs:
    /(?<!\p{L})(?:прочитаи(?:те)?|прочитать|прочти(?:те)?|обработаи(?:те)?|обработать|(?:про)?анализируи(?:те)?|проанализировать)(?!\p{L})|[处處]理(?![费費])|処理(?![費料])|读取|讀取|読み取って|読んで(?!い)|分析|처리(?! ?(?:비|수수료))|분석|읽어|عالج|حلل|اقرا|(?<!\p{L})(?:עבד|נתח|קרא)|επεξεργασ(?:ου|τ)|(?:^|παρακαλω |να |και )(?:διαβασ|αναλυσ)(?:ε|τε)(?!\p{L})/u,
};

const release: Use = {
  verbs: anyOf(`
    release publish approve send freigeben veroffentliche veroffentlichen publiziere publizieren sende senden publier publie publiez
    valider validez valide approuve approuver approuvez publica publicar publique aprueba aprobar apruebe valida validar pubblica
    pubblicare approva approvare aprova aprovar publiceer`),
  // No clause ends in it.
  ambiguous: '(?!)',
  last: anyOf('freigeben veroffentlichen publizieren senden absenden'),
  phrases: `gib${gap} frei`,
  signs:
    /(?<!\p{L})(?:опубликуи(?:те)?|опубликовать|утверди(?:те|ть)?)(?!\p{L})|[发發]布(?![日者会會])|批准(?![人日])|(?:公開|承認)(?:して|する|お願)|(?:게시|승인)[해하]/u,
};

const patternOf = ({ verbs, ambiguous, last, phrases }: Use): RegExp =>
  new RegExp(
    `^${lead}(?:${verbs}(?:$|(?: (?:please|pls|bitte|now|off|again|jetzt))+$| ${objects}(?: |$))|${ambiguous} ${objects}(?: |$)|(?:${phrases})(?: |$)|${objects}${gap} ${last}$)`,
    'u',
  );

const usesOfTools: Readonly<Record<string, { readonly command: RegExp; readonly signs: RegExp }>> = {
  run_extraction: { command: patternOf(reading), signs: reading.signs },
  run_prompt: { command: patternOf(reading), signs: reading.signs },
  release_result: { command: patternOf(release), signs: release.signs },
};

const wholeWord = (words: string): RegExp => new RegExp(`(?:^| )${anyOf(words)}(?= |$)`, 'u');
const negation = wholeWord(`
  not don dont doesn never cannot without nicht nie niemals kein keine n ne pas jamais non niet nooit nao nunca no
  не нельзя никогда لا אל לא μη μην δεν`);
const negationSigns =
  /不要|不用|不必|勿|[不别別](?=[处處]理|[读讀]|分析|[发發]布|批准)|ないで|しない|ません|지 ?마|않/u;
/** “No, publish it” answers. */
const isAnswer = /^(?:no|non|nein|nee|nao)$/u;
/** What follows these in a sentence is what somebody asks about or tells of. */
const questionOrReport = wholeWord(`
  said says asks asked told tells wrote writes sagt sagte schrieb schreibt dijo dice disse
  who whom whose what which when where why how whether wer wen wem was welche welcher welches wann wo warum wie ob
  qui quoi quel quelle quand pourquoi comment quien quienes cual cuando donde chi quale quando dove perche quem qual wie wat welke`);
const polite = wholeWord(
  `please kindly bitte veuillez plait svp favor favore puedes podrias puoi potresti peux pouvez pourrais pourriez kannst konntest
   пожалуиста можешь можете παρακαλω μπορεις μπορειτε`,
);
const politePhrases =
  /(?:can|could|would) you |(?:konnen|konnten) sie |请|請|你能|能否|能不能|帮我|ください|もらえ|くれ|주세요|줄래|من فضلك|يمكنك|בבקשה|תוכל/u;

const endOfSentence = /(?<=[.!?;\n。؟])/u;
const betweenClauses = /[,:،、()–—]|(?<= )(?:and|und|et|y|e|ed|en|then)(?= )/u;
const wordsIn = (text: string): string => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

/**
 * Whether the user asked for what a tool does in words that name no kind of object: an order, as in “read this” or “could you
 * publish it?”. A question about it, such as “has the manager approved it?”, and “do not release it” are none.
 */
export function speaksOfUse(tool: string, person: SeenContent['person']): boolean {
  const use = usesOfTools[tool];
  if (use === undefined) return false;
  return person.someText((text) => text.split(endOfSentence).some((sentence) => isAskedIn(sentence, use)));
}

/** Whether the way in which users ask for what this tool does is known. */
export const hasKnownUse = (tool: string): boolean => Object.hasOwn(usesOfTools, tool);

function isAskedIn(sentence: string, { command, signs }: (typeof usesOfTools)[string]): boolean {
  const said = wordsIn(sentence);
  const isQuestion = /[?؟]$/u.test(sentence) && !polite.test(said) && !politePhrases.test(said);
  const clauses = sentence.split(betweenClauses).map(wordsIn);
  const last = clauses.findLastIndex((clause) => clause !== '');
  for (const [at, clause] of clauses.entries()) {
    if (isAnswer.test(clause)) continue;
    if (negation.test(clause) || negationSigns.test(clause) || questionOrReport.test(clause)) return false;
    // “Read it, what is the total?” asks first and orders nothing after.
    if (isQuestion && at === last) return false;
    if (command.test(clause) || signs.test(clause)) return true;
  }
  return false;
}
