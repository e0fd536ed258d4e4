import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../e2e/browser/browser.ts';
import { wordsOf, type PlacedWord } from '../words.ts';

const run = promisify(execFile);
const maxOutput = 1 << 28;
const maxMilliseconds = 30_000;

let opened: Promise<Browser> | undefined;

/** Ends the browser, if one was started. */
export async function closeBrowser(): Promise<void> {
  await (await opened)?.close();
}

/**
 * The text of the page: with what people see of its fields, save for the prompts of empty ones, with the numbers of its lists, and
 * without what nobody sees: what style hides, clips, shrinks or puts beyond the page, and what is shown without scripts alone.
 */
const shownText = `(() => {
  const field = (node) => node.type === 'password' || node.type === 'hidden' ? '' : node.tagName === 'SELECT'
    ? [...node.selectedOptions].map((option) => option.text).join(' ')
    : ['checkbox', 'radio', 'file', 'image', 'range', 'color'].includes(node.type) ? '' : node.value || '';
  for (const node of document.querySelectorAll('noscript')) node.remove();
  const isUnseen = (node) => {
    const style = getComputedStyle(node);
    if (style.opacity === '0') return true;
    const isAway = style.position === 'absolute' || style.position === 'fixed';
    if (isAway && /^rect\\((?:[01]px[, )]*){4}/.test(style.clip)) return true;
    if (/^inset\\((?:50|100)%/.test(style.clipPath)) return true;
    const box = node.getBoundingClientRect();
    if (style.display === 'inline' || style.display === 'contents') return false;
    const clips = [style.overflowX, style.overflowY].some((each) => each === 'hidden' || each === 'clip');
    if (clips && (box.width <= 1 || box.height <= 1)) return true;
    return box.width > 0 && box.height > 0 && (box.right <= 0 || box.bottom <= 0);
  };
  for (const node of [...document.querySelectorAll('body *')]) if (node.isConnected && isUnseen(node)) node.remove();
  // What style sheets write is no text of the page for a browser. Their numbers are not told, and icons are no words.
  const writtenBy = (style) => style.display === 'none' ? '' : (/^"((?:[^"\\\\]|\\\\.)*)"$/.exec(style.content)?.[1] ?? '');
  for (const node of document.querySelectorAll('body *')) {
    for (const [place, side] of [['::before', 'prepend'], ['::after', 'append']]) {
      const text = writtenBy(getComputedStyle(node, place)).replace(/\\\\(.)/g, '$1').replace(/[\\ue000-\\uf8ff]/g, '');
      if (text) node[side](text);
    }
  }
  for (const node of document.querySelectorAll('input, textarea, select')) {
    const shown = document.createElement('span');
    if (getComputedStyle(node).display === 'none' || getComputedStyle(node).visibility === 'hidden') { node.remove(); continue; }
    shown.textContent = ' ' + field(node) + ' ';
    node.replaceWith(shown);
  }
  const numbered = [];
  for (const list of document.querySelectorAll('ol')) {
    const items = [...list.children].filter((node) => node.tagName === 'LI');
    let number = list.hasAttribute('start') ? list.start : list.reversed ? items.length : 1;
    for (const item of items) {
      if (/^-?\\d/.test(item.getAttribute('value') ?? '')) number = item.value;
      const style = getComputedStyle(item);
      const isShown = style.display === 'list-item' && item.getClientRects().length > 0 && style.visibility === 'visible';
      if (isShown && style.listStyleType === 'decimal') numbered.push([item, number]);
      number += list.reversed ? -1 : 1;
    }
  }
  for (const [item, number] of numbered) item.prepend(number + '. ');
  return document.body ? document.body.innerText : '';
})()`;

/** The words of a page of the web as Chromium shows them, without scripts and without a network. */
export async function htmlWords(source: { file: string } | { html: string }): Promise<PlacedWord[]> {
  opened ??= launchBrowser();
  const context = await (await opened).newContext({ javaScriptEnabled: false, offline: true });
  try {
    const page = await context.newPage();
    await page.route(/^(?!file:)/u, (route) => route.abort());
    if ('file' in source)
      await page.goto(pathToFileURL(source.file).href, { waitUntil: 'load', timeout: maxMilliseconds });
    else await page.setContent(source.html, { waitUntil: 'load', timeout: maxMilliseconds });
    return wordsOf(await page.evaluate<string>(shownText));
  } finally {
    await context.close();
  }
}

/** The header lines and the body that a mail program shows, as Python's standard library reads them. */
const readMail = `
import email, email.policy, html, json, sys
message = email.message_from_binary_file(open(sys.argv[1], 'rb'), policy=email.policy.default)
heads = [name + ': ' + str(message[name]).replace('"', '') for name in ('From', 'To', 'Cc', 'Subject') if message[name]]
if message['Date']:
    heads.append('Date: ' + email.message_from_bytes(open(sys.argv[1], 'rb').read())['Date'])
def text_of(part):
    try:
        return part.get_content()
    except Exception:
        return (part.get_payload(decode=True) or b'').decode('latin-1')
shown, files = [], []
# Parts that follow each other are all shown, and of alternatives the page. A signature or what is encrypted is no file for people.
silent = ('pgp-signature', 'pkcs7-signature', 'x-pkcs7-signature', 'pgp-encrypted', 'calendar', 'delivery-status', 'disposition-notification')
def walk(part):
    kind, name, way = part.get_content_type(), part.get_filename(), part.get_content_disposition()
    if kind == 'multipart/encrypted':
        return
    if kind == 'multipart/alternative':
        pages = [leaf for leaf in part.walk() if leaf.get_content_type() == 'text/html']
        for each in pages or [leaf for leaf in part.walk() if leaf.get_content_type() == 'text/plain']:
            shown.append((each.get_content_subtype(), text_of(each)))
        files.extend(leaf for leaf in part.walk() if leaf.get_content_maintype() not in ('multipart', 'text'))
    elif part.is_multipart() and kind != 'message/rfc822':
        for each in part.iter_parts():
            walk(each)
    elif kind in ('text/plain', 'text/html') and way != 'attachment' and (not name or way == 'inline'):
        shown.append((part.get_content_subtype(), text_of(part)))
    else:
        files.append(part)
walk(message)
page = any(kind == 'html' for kind, _ in shown)
text = '\\n'.join(text if kind == 'html' or not page else '<pre>' + html.escape(text) + '</pre>' for kind, text in shown)
names = [part.get_filename() for part in files if part.get_content_subtype() not in silent and part.get_filename()
    and not (part['Content-ID'] and 'cid:' + part['Content-ID'].strip('<>') in text)]
# The product lists the names of attachments below a word of its own.
if names:
    heads.append('Attachments: ' + ' '.join('- ' + name for name in names))
kind = 'text/html' if page else 'text/plain'
print(json.dumps({'heads': heads, 'kind': kind, 'text': text}))
`;

/** The words of a mail. Its header lines are read by Python too, and its HTML is shown by Chromium. */
export async function mailWords(file: string, isOutlooks = false): Promise<PlacedWord[]> {
  const program = isOutlooks ? readOutlookMail : readMail;
  const { stdout } = await run('python3', ['-c', program, file], { maxBuffer: maxOutput, timeout: maxMilliseconds });
  const { heads, kind, text } = JSON.parse(stdout) as { heads: string[]; kind: string; text: string };
  const body = kind === 'text/html' ? await htmlWords({ html: text }) : wordsOf(text);
  return [...heads.flatMap(wordsOf), ...body];
}

/** The same of a mail that Outlook saved, as the Python package extract-msg reads it, which is installed apart. */
const readOutlookMail = `
import email.utils, datetime, json, sys
import extract_msg
message = extract_msg.openMsg(sys.argv[1], errorBehavior=extract_msg.enums.ErrorBehavior.SUPPRESS_ALL)
def shown(name):
    value = getattr(message, name, None)
    return value.replace(chr(0), '').replace(';', ',').replace(chr(34), '') if isinstance(value, str) else ''
heads = [title + ': ' + shown(name) for title, name in (('From', 'sender'), ('To', 'to'), ('Cc', 'cc'), ('Subject', 'subject')) if shown(name).strip()]
date = getattr(message, 'date', None)
if isinstance(date, datetime.datetime):
    heads.append('Date: ' + email.utils.format_datetime(date.astimezone(datetime.timezone.utc), usegmt=True))
html = getattr(message, 'htmlBody', None)
html = html.decode('utf-8', 'replace') if isinstance(html, bytes) else html or ''
files = [attachment.getFilename() for attachment in message.attachments if not (getattr(attachment, 'cid', None) and ('cid:' + attachment.cid) in html)]
if files:
    heads.append('Attachments: ' + ' '.join('- ' + (name or '') for name in files))
text = html or getattr(message, 'body', None) or ''
print(json.dumps({'heads': heads, 'kind': 'text/html' if html else 'text/plain', 'text': text}))
`;
