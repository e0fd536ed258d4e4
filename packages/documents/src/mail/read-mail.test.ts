import { expect, it } from 'vitest';
import { readMail } from './read-mail.ts';

const attachment = (name: string, body: string) =>
  `--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`;
const mailOf = (parts: string[]) =>
  Buffer.from(
    `From: Ann <ann@example.com>\r\nSubject: Invoice\r\nMessage-ID: <1>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`,
  );

it('reads sender, subject and files', async () => {
  const bytes = mailOf(['--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n', attachment('a.pdf', 'JVBERg==')]);
  const mail = await readMail({ bytes, maxFiles: 10 });
  expect(mail).toMatchObject({
    from: { name: 'Ann', address: 'ann@example.com' },
    subject: 'Invoice',
    messageId: '<1>',
    files: [{ name: 'a.pdf', mimeType: 'application/pdf', isInline: false }],
  });
  expect(Buffer.from(mail.files[0]!.bytes).toString()).toBe('%PDF');
  // The caller keeps its bytes.
  expect(bytes.toString('latin1')).toContain('Subject: Invoice');
});

it('blocks its caller for a short time only, also for large and hostile mails', { retry: 2 }, async () => {
  const large = mailOf([attachment('large.pdf', `${'A'.repeat(76)}\r\n`.repeat(250_000))]);
  const many = mailOf(Array.from({ length: 10_000 }, (_, at) => attachment(`${at}.pdf`, 'JVBERg==')));
  for (const [bytes, files] of [
    [large, 1],
    [many, 20],
  ] as const) {
    const started = process.threadCpuUsage();
    expect((await readMail({ bytes, maxFiles: 20 })).files).toHaveLength(files);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(150);
  }
});

it('refuses a mail that is nested too deeply', async () => {
  let nested = 'Content-Type: text/plain\r\n\r\nHello\r\n';
  for (let depth = 0; depth < 500; depth += 1) {
    nested = `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${nested}\r\n--b${depth}--\r\n`;
  }
  await expect(readMail({ bytes: Buffer.from(nested), maxFiles: 10 })).rejects.toMatchObject({
    kind: 'unprocessable',
    code: 'damaged_file',
  });
});
