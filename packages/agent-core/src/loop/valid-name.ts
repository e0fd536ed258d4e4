/** Providers refuse a transcript with other characters in a tool's name, even where the call was refused for it. */
const notInNames = /[^\w-]/g;

/** A tool's name as every provider takes it. */
export function validName(name: string): string {
  const valid = name.replaceAll(notInNames, '_').slice(0, 64);
  return valid === '' ? 'unnamed' : valid;
}
