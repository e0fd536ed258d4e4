import { withoutOthersText } from './pasted-text.ts';

/**
 * What a user wrote without what others wrote in it: quotations, quoted lines, mails and texts to work on. Their orders are not the
 * user's. All texts are in lower case without accents. In steps between which other work can run.
 */
export function* withoutQuoted(
  text: string,
  onQuotation: (quotation: string) => void = () => {},
): Generator<void, string> {
  const own = yield* withoutOthersText(yield* withoutPasted(text));
  const lines = (yield* withoutQuotations(own, onQuotation)).split('\n');
  for (const [at, line] of lines.entries()) {
    if (at % linesInStep === 0) yield;
    lines[at] = yield* withoutSingle(line, onQuotation);
  }
  return lines.join('\n');
}

/** Of one line: such a quotation ends in it. */
function* withoutSingle(line: string, onQuotation: (quotation: string) => void): Generator<void, string> {
  const own: string[] = [];
  let from = 0;
  for (const { 0: all, 1: quotation = '', index } of line.matchAll(singleQuotation)) {
    onQuotation(quotation);
    own.push(line.slice(from, index), wordInsteadOf(quotation));
    from = index + all.length;
    if (own.length % marksInStep === 0) yield;
  }
  return own.join('') + line.slice(from);
}

const linesInStep = 200;
const marksInStep = 1_000;

const headerNames = `from to cc subject date sent von an betreff datum gesendet de a objet envoye para asunto fecha assunto data enviado
  da oggetto inviato van aan onderwerp verzonden od do temat wyslano от кому тема дата отправлено 发件人 收件人 主题 日期 差出人 宛先 件名 日時`;
const header = new RegExp(`^ *(?:${headerNames.trim().split(/\s+/u).join('|')}) ?[:：] ?[^ ]`, 'u');
/** “--- Forwarded message ---” */
const divider = /^ *[-_]{3,}(?: ?[^-_]{1,60} ?[-_]{3,})?$/u;
/** “[10:02] Ann: please delete it”, of a conversation elsewhere. */
const timedLine =
  /^ *\p{L}[\p{L}.'’-]{0,20}(?: (?!(?:at|um|by|bis|before|vor|alle|om|to|is) )\p{L}[\p{L}.'’-]{0,20})?[ ,([]+\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?[\])]? ?[:：]|^ *[[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?[\])]?[ ,-]+[^:：]{1,40}[:：]/u;
/** “Tom, 09:12” and “Tom (Sales)” above what Tom wrote: two such lines make a chat. */
const speakerLine =
  /^ *\p{L}[\p{L}.'’-]{0,20}(?: \p{L}[\p{L}.'’-]{0,20}){0,2}(?: \([^()]{2,30}\) *$|(?: \([^()]{2,30}\))?(?:,| ?[|·–-]| {2,}|(?= ?[[(])|(?= \d\d?:\d\d))(?: [\d./-]+,?| \p{L}{3,9}\.?){0,4} ?[[(]?(?:[01]?\d|2[0-3])(?:[:h]|[.](?=\d\d uhr))[0-5]\d(?::\d{2})?(?: ?[ap]m| uhr)?[\])]? *$)/u;
/** Code, and no item of a list. */
const indented = /^(?: {4}|\t) *(?![-*•\d ])\S/u;
/** A row of a table that was pasted: its orders are those of the table. */
const tableRow = /^ *\|.*\| *$|\S\t+\S/u;
const fence = /^ *```/u;
/** The marks are apostrophes too: a quotation stands between spaces, and an apostrophe inside between letters. */
const singleQuotation = /(?<=^|[\s(])['‘’‚`]((?:[^'‘’`\n]|(?<=\p{L})['’](?=\p{L})){2,300})['‘’`](?=$|[\s.,;:!?)])/gmu;
/** “On Monday Ann wrote:” at the end of a line. */
const introduction =
  /(?:wrote|writes|said|says|sent|schrieb|schreibt|sagt|ecrit|escribio|escribe|dice|escreveu|escreve|diz|scritto|scrive|schreef|schrijft|zegt|napisala?|pisze|написала?|пишет|[说說写寫][道着著]?)[^:：]{0,40}[:：] *$/u;
/** “Here is Ann's mail: …”, “message from Ann: …” */
const texts = `(?:${`
  mail e-?mail message note letter chat text nachricht notiz brief schreiben anfrage courriel lettre mensaje nota carta correo messaggio
  lettera bericht wiadomosc list mensagem письмо сообщение`
  .trim()
  .split(/\s+/u)
  .join('|')})`;
const introducedText = new RegExp(
  `^ *(?:(?:here(?: is|['’]?s)?|this is|hier(?: ist| kommt)?|das ist|voici|c['’]est|aqui(?: esta| tienes| vai)?|ecco|dit is|oto|вот)(?: [^:：]{0,40})? ${texts}[^:：]{0,40}|(?:(?:the|an?|die|der|das|eine?|le|la|une?|el|una|il|de|het|een|o|uma) )?${texts} (?:from|by|von|vom|de|du|da|di|van|od|от) [^:：]{1,40}) ?[:：]`,
  'u',
);
/** Orders to work on a text that follows: “translate this: …”. */
const workOnText = new RegExp(
  `^ *(?:(?:please|bitte|can you|could you|kannst du|por favor|per favore|[请請]) )*(?:${`
    translate summari[sz]e explain rewrite reword correct formulier\\p{L}* umformulier\\p{L}* korrigier\\p{L}* reformul\\p{L}* corrig\\p{L}* corregg\\p{L}* herschrijf rephrase paraphrase proofread reply answer respond ubersetz\\p{L}* fass\\p{L}* erklar\\p{L}*
    beantwort\\p{L}* tradui\\p{L}* resum\\p{L}* repond\\p{L}* tradu[czs]\\p{L}* respond\\p{L}* explic\\p{L}* riassum\\p{L}* rispond\\p{L}* spieg\\p{L}*
    vertaal samenvat\\p{L}* vat beantwoord przetlumacz stresc odpowiedz переведи\\p{L}* перескажи\\p{L}* ответь\\p{L}* 翻译 总结 翻訳 要約`
    .trim()
    .split(/\s+/u)
    .join('|')})(?!\\p{L}*[a-zа-я])[^:：]{0,60}[:：]`,
  'u',
);

/** “Write a mail to Ann: …” */
const draft = new RegExp(
  `^ *(?:(?:please|bitte|can you|could you|kannst du|por favor|per favore) )*(?:write|draft|compose|schreib\\p{L}*|verfass\\p{L}*|entwirf|redig\\p{L}*|ecri[st]\\p{L}*|escrib\\p{L}*|redact\\p{L}*|scriv\\p{L}*|schrijf|napisz|escrev\\p{L}*|напиши\\p{L}*)(?: [^ :：]+){0,3} ${texts}(?!\\p{L})[^:：]{0,60}[:：]`,
  'u',
);

/** A mail or another text in a message reaches to its end: nothing tells where the user goes on. */
function* withoutPasted(text: string): Generator<void, string> {
  const own: string[] = [];
  const lines = text.split('\n');
  let isFenced = false;
  let spoken = 0;
  for (let at = 0; at < lines.length && spoken < 2; at += 1) {
    if (at % linesInStep === 0) yield;
    if (speakerLine.test(lines[at]!)) spoken += 1;
  }
  const isChat = spoken > 1;
  let isSpoken = false;
  for (const [at, line] of lines.entries()) {
    if (at % linesInStep === 0) yield;
    if (fence.test(line)) isFenced = !isFenced;
    if (isFenced || fence.test(line)) continue;
    const isHead = header.test(line) && lines.slice(at + 1, at + 3).some((next) => header.test(next));
    if (isHead || divider.test(line)) break;
    if (line.trim() === '') {
      isSpoken = false;
      own.push(line);
      continue;
    }
    if (isChat && speakerLine.test(line)) isSpoken = true;
    if (
      isSpoken ||
      tableRow.test(line) ||
      (at > 0 && indented.test(line)) ||
      /^ *>/u.test(line) ||
      timedLine.test(line)
    )
      continue;
    const work = workOnText.exec(line) ?? introducedText.exec(line) ?? draft.exec(line);
    own.push(work === null ? line : work[0]);
    if (work !== null || introduction.test(line)) break;
  }
  return own.join('\n');
}

const opens = '“„«‹「『‚';
const closes = '”»›」』';
const marks = new RegExp(`[${opens}${closes}"]`, 'gu');
const closedBy: Readonly<Record<string, string>> = { '„': '“”', '»': '«', '›': '‹', '‚': '‘’' };

/** Quotations become a word, as names of objects stand between such marks too. One that does not end reaches to the end. */
function* withoutQuotations(text: string, onQuotation: (quotation: string) => void): Generator<void, string> {
  let own = '';
  let seen = 0;
  let from = 0;
  const open: string[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(marks)) {
    if ((seen += 1) % marksInStep === 0) yield;
    const before = text.charAt(index - 1);
    const top = open.at(-1);
    if (top === undefined) {
      // “A 27" screen” quotes nothing.
      if (mark === '"' && /\p{N}/u.test(before)) continue;
      own += text.slice(from, index);
      start = index + 1;
      open.push(mark);
      continue;
    }
    const isNested =
      mark === '"' && top === '"' && /[\s([]/u.test(before) && /[\p{L}\p{N}]/u.test(text.charAt(index + 1));
    const isEnd = (closedBy[top] ?? (top === '"' ? '"' : closes)).includes(mark);
    if (isEnd && !isNested) open.pop();
    else if (opens.includes(mark) || isNested) open.push(mark);
    if (open.length > 0) continue;
    const quotation = text.slice(start, index);
    onQuotation(quotation);
    own += wordInsteadOf(quotation);
    from = index + 1;
  }
  return open.length > 0 ? own : own + text.slice(from);
}

/** A single word names a thing. Any other quotation can be an order. */
function wordInsteadOf(quotation: string): string {
  if (/^[a-z0-9_.-]+$/u.test(quotation)) return quotation;
  return /[.!?。！？]\s*$/u.test(quotation) ? ' x. ' : ' x ';
}
