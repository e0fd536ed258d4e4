const maxArguments = 32_000;
const maxStart = 4_000;
const secretName = /pass(word|phrase)|secret|token|api[-_ ]?key|private[-_ ]?key|authorization|credential/i;
/** Keys of well-known services, HTTP credentials, JSON web tokens, passwords in URLs. */
const secretText =
  /\b(sk|pk|rk|ghp|gho|ghs|xox[abpr]|dw)[-_][\w-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bbearer\s+[\w+/=.~-]{16,}|\bauthorization:\s*basic\s+[\w+/=]+|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|(?<=:\/\/[^\s:/@]{0,100}:)[^\s@/]{1,200}(?=@)/gi;
const redacted = '[redacted]';

/**
 * A call's arguments for the audit log: values that look like secrets by their name or form are redacted, and long
 * arguments are truncated. Always JSON.
 */
export function auditedArguments(text: string): { text: string; isPartial: boolean } {
  const safe = redactedArguments(text);
  if (safe.length <= maxArguments) return { text: safe, isPartial: false };
  const truncated = { length: safe.length, start: safe.slice(0, maxStart) };
  return { text: JSON.stringify({ truncated }), isPartial: true };
}

/** A text that can quote a call's arguments, such as an error. */
export function auditedText(text: string): string {
  return text.replaceAll(secretText, redacted).slice(0, 2_000);
}

/** A call's arguments without values that look like secrets. Always JSON. */
function redactedArguments(text: string): string {
  try {
    return JSON.stringify(
      JSON.parse(text, (name, value: unknown) => {
        if (typeof value !== 'string') return value;
        return secretName.test(name) ? redacted : value.replaceAll(secretText, redacted);
      }),
    );
  } catch {
    return JSON.stringify({ unreadable: auditedText(text) });
  }
}
