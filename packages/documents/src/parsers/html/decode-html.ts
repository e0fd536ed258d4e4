import { canDecode, decodeIn, decodeText, isUtf8 } from '../../detect/decode-text.ts';

/** Browsers look for a declaration in the first kilobyte; some programs write long comments first. */
const declarationBytes = 8 * 1024;
const declaration =
  /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)|<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w:.-]+)["']/i;

/**
 * Decodes a web page as a browser does: by its mark, by the encoding that its transport names, by its own declaration. A
 * declaration that does not fit the bytes, or none, is replaced by a guess.
 */
export function decodeHtml(bytes: Uint8Array, transport?: string): string {
  const isMarked = (bytes[0] === 0xef && bytes[1] === 0xbb) || (bytes[0]! >= 0xfe && bytes[1]! >= 0xfe);
  const isWide = bytes[0] === 0 || bytes[1] === 0;
  if (isMarked || isWide) return decodeText(bytes);
  const [, meta, xml] = declaration.exec(Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1')) ?? [];
  return decodeAs(bytes, transport ?? meta ?? xml);
}

/** Decodes text in a declared encoding, if there is such an encoding and the bytes can be in it. */
export function decodeAs(bytes: Uint8Array, declared: string | undefined): string {
  const name = declared?.trim().toLowerCase() ?? '';
  if (name === '' || !canDecode(name)) return decodeText(bytes);
  const isUnicode = /^utf-?8$|^unicode-1-1-utf-8$/.test(name);
  // ASCII cannot hold other bytes, and text that could read this declaration is not UTF-16.
  if ((isUnicode && !isUtf8(bytes)) || /^(?:us-)?ascii$|^ansi_x3/.test(name) || name.startsWith('utf-16')) {
    return decodeText(bytes);
  }
  // As browsers do: what is called Latin-1 is the code page of Windows.
  const encoding = /^(?:iso-?8859-?1|latin-?1|l1)$/.test(name) ? 'windows-1252' : name;
  return decodeIn(bytes, encoding).replace(/\r\n?/g, '\n');
}
