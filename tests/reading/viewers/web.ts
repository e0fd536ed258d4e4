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

/** A text of the page, with what people see of its fields, and without what style hides. */
const shownText = `(() => {
  const field = (node) => node.type === 'password' || node.type === 'hidden' ? '' : node.tagName === 'SELECT'
    ? [...node.selectedOptions].map((option) => option.text).join(' ')
    : ['checkbox', 'radio', 'file', 'image', 'range', 'color'].includes(node.type) ? '' : node.value || node.placeholder || '';
  for (const node of document.querySelectorAll('input, textarea, select')) {
    const shown = document.createElement('span');
    if (getComputedStyle(node).display === 'none' || getComputedStyle(node).visibility === 'hidden') { node.remove(); continue; }
    shown.textContent = ' ' + field(node) + ' ';
    node.replaceWith(shown);
  }
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
import email, email.policy, json, sys
message = email.message_from_binary_file(open(sys.argv[1], 'rb'), policy=email.policy.default)
heads = [name + ': ' + str(message[name]) for name in ('From', 'To', 'Cc', 'Subject') if message[name]]
if message['Date']:
    heads.append('Date: ' + email.message_from_bytes(open(sys.argv[1], 'rb').read())['Date'])
# The product lists the names of attachments below a word of its own.
files = [part.get_filename() for part in message.iter_attachments() if part.get_filename()] if message.is_multipart() else []
if files:
    heads.append('Attachments: ' + ' '.join('- ' + name for name in files))
body = message.get_body(preferencelist=('html', 'plain'))
kind = body.get_content_type() if body else 'text/plain'
try:
    text = body.get_content() if body else ''
except Exception:
    text = body.get_payload(decode=True).decode('latin-1')
print(json.dumps({'heads': heads, 'kind': kind, 'text': text}))
`;

/** The words of a mail. Its header lines are read by Python too, and its HTML is shown by Chromium. */
export async function mailWords(file: string): Promise<PlacedWord[]> {
  const { stdout } = await run('python3', ['-c', readMail, file], { maxBuffer: maxOutput, timeout: maxMilliseconds });
  const { heads, kind, text } = JSON.parse(stdout) as { heads: string[]; kind: string; text: string };
  const body = kind === 'text/html' ? await htmlWords({ html: text }) : wordsOf(text);
  return [...heads.flatMap(wordsOf), ...body];
}
