import { isOrdered } from './spoken-orders.ts';
import type { SeenContent } from './seen-content.ts';
import { anyOf, lead } from './wording/word-patterns.ts';

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

/** Up to three words between two of a phrase. */
const gap = '(?: [^ ]+){0,3}';

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
    process analyze analyse extract capture digitize digitise handle verarbeite verarbeiten analysiere analysieren erfasse erfassen digitalisiere
    extrahiere extrahieren auslesen einlesen einrichten extrais extraire extrayez extrae extraer extraiga estrai estrarre extraia extrair traite traiter traitez analysez analyser saisis saisir saisissez procesa procesar procese analiza analizar
    analice lesen lezen leggi leggere leggete elabora elaborare processa processar analisa analisar analizza analizzare verwerk verwerken`),
  ambiguous: anyOf('read lies lese lis lire lisez lee leer lea lean ler leia leiam lees configure'),
  last: anyOf(
    'lesen einlesen auslesen extrahieren verarbeiten erfassen analysieren digitalisieren einrichten lezen verwerken',
  ),
  phrases: `read again|extract(?! of| from the (?!document|invoice|file|page|letter|form|receipt))|lies (?!(?:about|and|are|in|on|with)(?: |$))[^ ]+${gap}|(?:me )?(?:saca|sacas|sacame|saque)${gap} (?:datos|valores|importes)|(?:get|pull|take)${gap} as data|${anyOf('run rerun start do repeat redo perform make try launch again')}${gap} extractions?|(?:(?:the|this|that|my|our) )?extractions?${gap} (?:again|outdated|anew)|${anyOf('lance relance refais lanza inicia haz repite avvia ripeti fai starte wiederhole mach')}${gap} (?:extractions?|extraccion|estrazione|extraktion)|(?:[^ ]+ ){0,3}(?:need|want|like|have|get|should|must|be)${gap} extracted|get${gap} (?:data|values?)|set(?: [^ ]+){1,3} up|set up ${objects}|richte${gap} ein`,
  signs:
    /(?<!\p{L})(?:прочитаи(?:те)?|прочитать|прочти(?:те)?|обработаи(?:те)?|обработать|(?:про)?анализируи(?:те)?|проанализировать)(?!\p{L})|[处處]理(?![费費])|処理(?![費料])|读取|讀取|読み取って|読んで(?!い)|分析|처리(?! ?(?:비|수수료))|분석|읽어|عالج|حلل|اقرا|(?<!\p{L})(?:עבד|נתח|קרא)|επεξεργασ(?:ου|τ)|(?:^|παρακαλω |να |και )(?:διαβασ|αναλυσ)(?:ε|τε)(?!\p{L})|извлек|извлеч|提取(?![现現费費款])|抽出|抽取|추출|استخرج|استخراج|(?<!\p{L})(?:חלץ|חילוץ)|εξαγ/u,
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

const filing: Use = {
  verbs: anyOf(`
    classify categorise categorize label tag klassifizieren klassifiziere kategorisieren kategorisiere einordnen einsortieren zuordnen ablegen
    taggen tagge verschlagworten verschlagworte classer classez trier triez etiqueter etiquetez categoriser categorise categorisez clasifica
    clasificar clasifique clasificalo etiqueta etiquetar classifica classificare etichetta categorizza classificar`),
  ambiguous: anyOf('sort organi[sz]e file sortier sortiere ordne classe trie range etiquette ordena organiza ordina'),
  last: anyOf('klassifizieren kategorisieren einordnen einsortieren zuordnen ablegen taggen verschlagworten'),
  phrases: `ordne${gap} (?:ein|zu)|sortiere?${gap} ein|(?:[^ ]+ ){0,3}(?:need|needs|want|like|have|get|should|must|be|to be)${gap} (?:tagged|labell?ed|classified|categori[sz]ed|sorted|organi[sz]ed)`,
  signs:
    /(?<!\p{L})(?:про)?классифицир(?:уи|овать)|[归歸][类類]|分类(?:这|该|此|它)|(?:请|請)?对.{0,12}分类|分類して|분류해|(?<!\p{L})صنف|(?<!\p{L})(?:סווג|תייג)|ταξινομησ/u,
};

const patternOf = ({ verbs, ambiguous, last, phrases }: Use): RegExp =>
  new RegExp(
    `^${lead}(?:${verbs}(?:$|(?: (?:please|pls|bitte|now|off|again|jetzt))+$| ${objects}(?: |$))|${ambiguous} ${objects}(?: |$)|(?:${phrases})(?: |$)|${objects}${gap} ${last}(?: (?:bitte|please))*$)`,
    'u',
  );

const usesOfTools: Readonly<Record<string, { readonly command: RegExp; readonly signs: RegExp }>> = {
  run_extraction: { command: patternOf(reading), signs: reading.signs },
  run_prompt: { command: patternOf(reading), signs: reading.signs },
  release_result: { command: patternOf(release), signs: release.signs },
};

const filingCommand = patternOf(filing);

/**
 * Whether the user asked for what a tool does in words that name no kind of object: an order, as in “read this” or “could you
 * publish it?”. A question about it, such as “has the manager approved it?”, and “do not release it” are none.
 */
export function speaksOfUse(tool: string, person: SeenContent['ownWords']): boolean {
  const use = usesOfTools[tool];
  return use !== undefined && isOrdered(person, use.command, use.signs);
}

/** Whether the user asked to put a document into a kind, as in “classify it”. */
export const asksToFile = (person: SeenContent['ownWords']): boolean => isOrdered(person, filingCommand, filing.signs);

/** Whether the way in which users ask for what this tool does is known. */
export const hasKnownUse = (tool: string): boolean => Object.hasOwn(usesOfTools, tool);

/** Whether only an order for what this tool does leaves the choice to the model: a word for the kind of object is too little. */
export const isLeftByUseAlone = (tool: string): boolean => tool === 'release_result';
