import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { detectType } from '../../detect/detect-type.ts';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { openMail } from './open-mail.ts';

async function read(mail: string | Uint8Array) {
  const document = await openMail(typeof mail === 'string' ? Buffer.from(mail) : mail, defaultParseLimits);
  const pages = [...document.pages];
  return {
    ...document,
    pages,
    lines: pages.flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== ''),
  };
}

it.each([
  ['ISO-2022-KR', 'declared', '\u001b$)C\u000eC;18<-\u000f 2026'],
  ['ISO-2022-KR', 'undeclared', '\u001b$)C\u000eC;18<-\u000f 2026'],
  ['HZ-GB-2312', 'declared', '~{7"F1~} ~~1 2026'],
])('mail in %s, %s, which switches alphabets with signs of seven bits', async (charset, kind, text) => {
  const type = kind === 'declared' ? `Content-Type: text/plain; charset=${charset}\n` : '';
  const { lines } = await read(`Subject: S\nTo: a@example.org\n${type}\n${text}\n`);
  expect(lines.at(-1)).toBe(charset.startsWith('HZ') ? '发票 ~1 2026' : '청구서 2026');
});

const multipart = (kind: string, ...parts: readonly string[]): string =>
  `Subject: S\nFrom: a@example.org\nContent-Type: multipart/${kind}; boundary="b b"\n\nignored\n${parts.map((part) => `--b b\n${part}\n`).join('')}--b b--\n`;
const part = (headers: string, body: string): string => `${headers}\n\n${body}`;
const plain = (body: string): string => part('Content-Type: text/plain; charset=utf-8', body);
const html = (body: string): string => part('Content-Type: text/html; charset=utf-8', body);

it('the report about a delivery is read', async () => {
  const report = 'Final-Recipient: rfc822; b@example.org\nAction: failed';
  const { lines } = await read(
    multipart('report', plain('Sorry'), part('Content-Type: message/delivery-status', report)),
  );
  expect(lines.slice(-3)).toEqual(['Sorry', ...report.split('\n')]);
});

it('headers and names of files in the encoding that the mail declares for its text', async () => {
  const mail =
    'Subject: 发票 880\nFrom: 张三 <a@example.org>\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain;\n charset="gb2312"\n\n发票\n' +
    '--b\nContent-Type: image/x\nContent-Disposition: attachment; filename="发票.bin"\n\n1\n--b--\n';
  const { lines } = await read(iconv.encode(mail, 'gb2312'));
  expect(lines).toEqual(['From: 张三 <a@example.org>', 'Subject: 发票 880', '发票', 'Attachments:', '- 发票.bin']);
});

it('enriched text is the body, unless another part says the same, and headers of a returned mail are a text', async () => {
  const enriched = part(
    'Content-Type: text/enriched',
    '<bold>Total</bold> 14.28\n<<EUR>\n\n<color><param>red</param>Due</color>',
  );
  expect((await read(multipart('mixed', enriched))).lines.slice(2)).toEqual(['Total 14.28 <EUR>', 'Due']);
  expect((await read(multipart('alternative', plain('Total 14.28'), enriched))).lines.slice(2)).toEqual([
    'Total 14.28',
  ]);
  const returned = await read(
    multipart('report', plain('Returned'), part('Content-Type: text/rfc822-headers', 'Subject: x')),
  );
  expect([...(returned.files ?? [])].map(({ name }) => name)).toEqual(['attachment-1.txt']);
});

describe('text with its look in marks', () => {
  const enriched = (body: string): string => part('Content-Type: text/enriched', body);

  it.each([
    ['the plain text beside it does not say it', plain('Your program cannot show this mail.'), ['Total 500 EUR']],
    ['the page beside it is blank', html('<p> </p>'), ['Total 500 EUR']],
    ['the page beside it is the mail', html('<p>Total 600 EUR'), ['Total 600 EUR']],
  ])('is shown unless another part is: %s', async (_what, other, expected) => {
    const mail = multipart('alternative', other, enriched('<bold>Total</bold> 500 EUR'));
    expect((await read(mail)).lines.slice(2)).toEqual(expected);
  });

  it.each([
    ['richtext', 'Total<nl>5 EUR<nl>Due<np>May', ['Total', '5 EUR', 'Due', 'May'], 0],
    ['richtext', 'a <lt>b> c', ['a <b> c'], 0],
    ['richtext', 'Total<comment>secret<nl><comment>too</comment> and</comment> 5', ['Total 5'], 12],
    ['enriched', '<color><param>secret <<</param>Total</color> 5 < 6', ['Total 5 < 6'], 0],
    ['enriched', '<nofill>a\nb</nofill>\nc', ['a', 'b c'], 0],
    ['enriched', `${'<param>'.repeat(50_000)}secret`, [], 6],
  ])('of text/%s is read as its programs show it: %#', async (kind, text, expected, hidden) => {
    const { lines, pages } = await read(multipart('mixed', part(`Content-Type: text/${kind}`, text)));
    expect(lines.slice(2)).toEqual(expected);
    expect(pages[0]!.hidden_text ?? 0).toBe(hidden);
  });
});

it.each(['declared', 'undeclared'])('Japanese mail in its own encoding, %s, in headers and body', async (kind) => {
  const text = '\u001b$B@A5a=q\u001b(B 2026';
  const type = kind === 'declared' ? 'Content-Type: text/plain; charset=ISO-2022-JP\n' : '';
  const word = Buffer.from(text, 'latin1').toString('base64');
  const { lines } = await read(`Subject: =?ISO-2022-JP?B?${word}?=\n${type}\n${text}\n`);
  expect(lines).toEqual(['Subject: 請求書 2026', '請求書 2026']);
});

describe('the body is the one that a person would see', () => {
  it.each([
    ['blank', ' \n\n'],
    ['a stub', 'Your mail program cannot show this message. See https://example.org/8841'],
    ['other numbers', 'Total 9.00 EUR for hosting'],
  ])('where the plain text is %s', async (_, text) => {
    const { lines } = await read(multipart('alternative', plain(text), html('<p>Total 14.28 EUR for hosting</p>')));
    expect(lines.slice(2)).toEqual(['Total 14.28 EUR for hosting']);
  });

  it('where both say the same, the plain text', async () => {
    const { lines } = await read(
      multipart('alternative', plain('Total:\n  14.28 EUR'), html('<p>Total: <b>14.28</b> EUR</p>')),
    );
    expect(lines.slice(2)).toEqual(['Total:', '  14.28 EUR']);
  });

  it('where parts follow each other, all of them', async () => {
    const { lines } = await read(multipart('mixed', plain('one'), html('<p>two</p>'), plain('three')));
    expect(lines.slice(2)).toEqual(['one', 'two', 'three']);
  });

  it('with lines that continue', async () => {
    const { lines } = await read(
      'Subject: S\nTo: a@example.org\nContent-Type: text/plain; format=flowed\n\nOne \nline\n-- \nAda\n',
    );
    expect(lines.slice(2)).toEqual(['One line', '--', 'Ada']);
    const quoted = await read(
      'Subject: S\nTo: a@example.org\nContent-Type: text/plain; format=flowed; delsp=yes\n\n> 12 \n> 34 \n>> deeper \nown\n> -- \n> Ada\n',
    );
    expect(quoted.lines.slice(2)).toEqual(['> 1234', '>> deeper', 'own', '> --', '> Ada']);
  });
});

it.each([
  [
    'bytes that should have been escaped',
    Buffer.from('=?iso-8859-1?Q?J\xfcrgen?= =?iso-8859-1?Q?_M\xfcller?=', 'latin1'),
  ],
  ['UTF-7', Buffer.from('=?utf-7?Q?J+APw-rgen_M+APw-ller?=')],
  ['quotes around them', Buffer.from('"=?utf-8?B?SsO8cmdlbiBNw7xsbGVy?="')],
])('encoded words of an address are read with %s', async (_, name) => {
  const head = Buffer.concat([Buffer.from('From: '), name, Buffer.from(' <jm@example.org>\nSubject: S\n\nbody')]);
  expect((await read(head)).lines[0]).toBe('From: Jürgen Müller <jm@example.org>');
});

describe('each encoding is read as declared or found', () => {
  const of = (headers: string, text: string, encoding: string): Uint8Array =>
    iconv.encode(`Subject: S\nTo: a@example.org\n${headers}\n${text}`, encoding);

  it.each([
    ['none, in Latin-1', of('', 'Für 95,20 € über März', 'windows-1252'), 'Für 95,20 € über März'],
    ['Japanese', of('Content-Type: text/plain; charset=shift_jis\n', '請求書 880円', 'shift_jis'), '請求書 880円'],
    [
      'a declaration in the page alone',
      of('Content-Type: text/html\n', '<meta charset=windows-1251>Счёт', 'windows-1251'),
      'Счёт',
    ],
    [
      'quoted printable',
      of(
        'Content-Type: text/plain; charset=iso-8859-15\nContent-Transfer-Encoding: quoted-printable\n',
        '20=A4 und=\n mehr',
        'ascii',
      ),
      '20€ und mehr',
    ],
  ])('%s', async (_, mail, expected) => {
    expect((await read(mail)).lines.at(-1)).toBe(expected);
  });

  it('in headers too: raw, in words, and across words', async () => {
    const raw = iconv.encode('From: Jörg <j@example.org>\nSubject: Rechnung für März\n\nx', 'windows-1252');
    expect((await read(raw)).lines.slice(0, 2)).toEqual(['From: Jörg <j@example.org>', 'Subject: Rechnung für März']);
    const words =
      'From: =?utf-8?q?J=C3=B6rg=2C_A?= <j@example.org>\nSubject: =?utf-8?b?w6Q=?=\n =?utf-8?B?w7Y=?= end\n\nx';
    expect((await read(words)).lines.slice(0, 2)).toEqual(['From: Jörg, A <j@example.org>', 'Subject: äö end']);
  });
});

describe('attachments', () => {
  it('are files of their own, also mails', async () => {
    const inner = 'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nFrom: b@example.org\n\nInner\n';
    const { lines, files = [] } = await read(
      multipart(
        'mixed',
        plain('See files'),
        part(
          "Content-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8''Rechnung%20M%C3%A4rz.pdf\nContent-Transfer-Encoding: base64",
          'JVBERg==',
        ),
        part('Content-Type: message/rfc822', inner),
        part('Content-Type: text/plain; name=notes.txt\nContent-Disposition: attachment', 'Notes'),
      ),
    );
    expect(lines.slice(2)).toEqual(['See files', 'Attachments:', '- Rechnung März.pdf', '- Grüße.eml', '- notes.txt']);
    expect([...files].map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['%PDF', inner, 'Notes']);
  });

  it('are not the invitation and the signature; an encrypted part is named', async () => {
    const event =
      'BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nDTSTART:19700101T000000\nEND:VTIMEZONE\nBEGIN:VEVENT\nSUMMARY:Review\\, part 2\nDTSTART;TZID=Europe/Berlin:20260314T093000\nORGANIZER;CN=Ada:mailto:a@example.org\nEND:VEVENT\nEND:VCALENDAR';
    const { lines, files, unread } = await read(
      multipart(
        'mixed',
        plain('Hi'),
        part('Content-Type: text/calendar', event),
        part('Content-Type: application/pgp-signature', 'x'),
        part('Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m', 'x'),
      ),
    );
    expect(lines.slice(2)).toEqual([
      'Hi',
      'Event: Review, part 2',
      'Starts: 2026-03-14 09:30 Europe/Berlin',
      'Organizer: Ada <a@example.org>',
    ]);
    expect(files).toEqual([]);
    expect(unread).toEqual([expect.objectContaining({ kind: 'encrypted_part', name: 'smime.p7m' })]);
  });
});

it('a mailbox is the list of its mails, each of which is a document of its own', async () => {
  const first = `From a@b Sat Mar 14 09:00:00 2026\r\n${multipart('mixed', plain('one\n\nFrom now on\n>From here')).replaceAll('\n', '\r\n')}`;
  const second = 'From c@d Sat Mar 14 10:00:00 2026\nSubject: =?utf-8?q?F=C3=BCr?=\nTo: c@example.org\n\ntwo\n';
  const { lines, files } = await read(`${first}\r\n\r\n${second}`);
  expect(lines).toEqual(['Mails:', '- S.eml', '- Für.eml']);
  const inner = await Promise.all([...(files ?? [])].map(({ bytes }) => read(bytes)));
  expect(inner.map((mail) => mail.lines.slice(2))).toEqual([['one', 'From now on', 'From here'], ['two']]);
});

it('invitations that follow each other are all shown, each once', async () => {
  const event = (name: string): string =>
    part('Content-Type: text/calendar', `BEGIN:VCALENDAR\nSUMMARY:${name}\nEND:VCALENDAR`);
  const { lines } = await read(multipart('mixed', plain('Hi'), event('Review'), event('Review'), event('Board')));
  expect(lines.slice(2)).toEqual(['Hi', 'Event: Review', 'Event: Board']);
});

it.each([
  ['x-sjis', 'Shift_JIS', '請求書'],
  ['x-mac-roman', 'macintosh', 'café'],
])('a charset by a name that browsers know is read: %s', async (declared, encoding, text) => {
  const head = `Subject: S\nTo: a@example.org\nContent-Type: text/plain; charset=${declared}\n\n`;
  const mail = Buffer.concat([Buffer.from(head), iconv.encode(text, encoding)]);
  await expect(detectType(mail, 'a')).resolves.toBe('message/rfc822');
  expect((await read(mail)).lines.at(-1)).toBe(text);
});

describe('files that a text holds as programs before MIME wrote them', () => {
  const bytes = Buffer.from(Array.from({ length: 50 }, (_, at) => at));
  const encoded = ['M  $" P0%!@<("0H+# T.#Q 1$A,4%187&!D:&QP=\'A\\@(2(C)"4F)R@I*BLL', '%+2XO,#$ ', '`', 'end'].join(
    '\n',
  );

  it.each([
    ['', encoded],
    ['with spaces cut at the ends of lines', encoded.replaceAll(/ +$/gmu, '')],
  ])('are documents of their own, and are not in the text %s', async (_, form) => {
    const { lines, files } = await read(
      `Subject: S\nTo: a@example.org\n\nSee below.\n\nbegin 644 list.bin\n${form}\nRegards\n`.replaceAll('\n', '\r\n'),
    );
    expect(lines.slice(2)).toEqual(['See below.', 'Regards', 'Attachments:', '- list.bin']);
    expect([...(files ?? [])].map((file) => [file.name, Buffer.from(file.bytes)])).toEqual([['list.bin', bytes]]);
  });

  it('stay in the text if their lines have another form', async () => {
    const { lines, files } = await read('Subject: S\nTo: a@example.org\n\nbegin 644 of them\nThese are words.\nend\n');
    expect(lines.slice(2)).toEqual(['begin 644 of them', 'These are words.', 'end']);
    expect([...(files ?? [])]).toEqual([]);
  });

  it('are the content of a part in this transfer encoding', async () => {
    const file = part(
      'Content-Type: image/x; name=a.bin\nContent-Transfer-Encoding: x-uuencode',
      `begin 644 a.bin\n${encoded}`,
    );
    const { files } = await read(multipart('mixed', plain('one'), file));
    expect([...(files ?? [])].map((each) => Buffer.from(each.bytes))).toEqual([bytes]);
  });
});

it('an empty mail, a cut one and parts inside of each other without end are read as far as they go', async () => {
  expect((await read('Subject: S\nTo: a@example.org\n\n')).lines).toEqual(['To: a@example.org', 'Subject: S']);
  expect((await read(multipart('mixed', plain('one')).slice(0, -9))).lines.at(-1)).toBe('one');
  const deep = 'Content-Type: multipart/mixed; boundary=b\n\n--b\n'.repeat(3_000);
  expect((await read(`Subject: S\n${deep}`)).lines).toEqual(['Subject: S']);
});
