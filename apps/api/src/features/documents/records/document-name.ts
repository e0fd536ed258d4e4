import { isShown, withoutUnseen } from '@docwright/contract';

const maxLength = 255;
const endingPattern = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * The name of a document for storage and display: the last segment of the given path, without characters that are not shown
 * or turn the text around, at most 255 characters including the extension.
 */
export function documentNameFrom(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const shown = withoutUnseen(last)
    .replaceAll(/[\u200e\u200f]/gu, '')
    .trim();
  const ending = endingPattern.exec(shown)?.[0] ?? '';
  const before = last.slice(0, last.length - ending.length);
  // Of a stem that is not shown, the ending alone would be left.
  const name = before !== '' && !isShown(before) ? `unnamed${ending}` : shown.replace(/^\.+$/, '');
  if (!isShown(name)) return 'unnamed';
  if (name.length <= maxLength) return name;
  const extension = endingPattern.exec(name)?.[0] ?? '';
  const stem = name.slice(0, maxLength - extension.length);
  return stem.replace(/[\ud800-\udbff]$/, '') + extension;
}
