/** Writes the first letter in upper case. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `no_text_layer` → “No text layer”. */
export const labelOfName = (name: string): string => capitalize(name.replaceAll('_', ' '));
