const maxLength = 255;

/**
 * The name of a document for storage and display: the last segment of the given path, without control or direction
 * characters, at most 255 characters including the extension.
 */
export function documentNameFrom(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const name = last
    .replaceAll(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .replace(/^\.+$/, '');
  if (name === '') return 'unnamed';
  if (name.length <= maxLength) return name;
  const extension = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? '';
  const stem = name.slice(0, maxLength - extension.length);
  return stem.replace(/[\ud800-\udbff]$/, '') + extension;
}
