const longest = 255;

/**
 * A file's name as it is kept and shown: the last part of whatever path came with it, without control or direction
 * characters, at most 255 characters with the extension kept.
 */
export function documentNameFrom(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const shown = last
    .replaceAll(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .replace(/^\.+$/, '');
  if (shown === '') return 'unnamed';
  if (shown.length <= longest) return shown;
  const extension = /\.[\p{L}\p{N}]{1,10}$/u.exec(shown)?.[0] ?? '';
  const room = shown.slice(0, longest - extension.length);
  return room.replace(/[\ud800-\udbff]$/, '') + extension;
}
