/** A part of a mail that a test writes. */
export interface WrittenPart {
  type?: string;
  name?: string;
  bytes: Uint8Array | string;
  inline?: boolean;
}

/** The source of a mail with a text and these parts. */
export function writeMail({
  id,
  subject = 'Invoice',
  from = 'Ann Smith <ann@example.com>',
  parts = [],
}: {
  id: string;
  subject?: string;
  from?: string;
  parts?: WrittenPart[];
}): string {
  const attached = parts.map(({ type = 'text/plain', name, bytes, inline = false }) => {
    const named = name === undefined ? '' : `; filename="${name}"`;
    const disposition = `Content-Disposition: ${inline ? 'inline' : 'attachment'}${named}`;
    const head = `Content-Type: ${type}\r\n${disposition}\r\n`;
    if (type === 'message/rfc822') return `${head}\r\n${String(bytes)}\r\n`;
    const body = Buffer.from(bytes).toString('base64').replaceAll(/.{76}/gu, '$&\r\n');
    return `${head}Content-Transfer-Encoding: base64\r\n\r\n${body}\r\n`;
  });
  const text = 'Content-Type: text/plain\r\n\r\nPlease see the attachment.\r\n';
  const boundary = `b-${id.replaceAll(/\W/gu, '')}`;
  return [
    `From: ${from}`,
    'To: inbox@example.com',
    `Subject: ${subject}`,
    `Message-ID: <${id}>`,
    'Date: Fri, 27 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    ...[text, ...attached].map((part) => `--${boundary}\r\n${part}`),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}
