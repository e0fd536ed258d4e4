const longestArguments = 32_000;
const keptStart = 4_000;
const secretName = /pass(word|phrase)|secret|token|api[-_ ]?key|private[-_ ]?key|authorization|credential/i;
/** Keys of well-known services, credentials of HTTP, JSON web tokens, passwords inside addresses. */
const secretText =
  /\b(sk|pk|rk|ghp|gho|ghs|xox[abpr]|dw)[-_][\w-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bbearer\s+[\w+/=.~-]{16,}|\bauthorization:\s*basic\s+[\w+/=]+|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|(?<=:\/\/[^\s:/@]{0,100}:)[^\s@/]{1,200}(?=@)/gi;
const blackedOut = '[redacted]';

/**
 * A call's arguments as the audit log keeps them: what looks like a secret, by its name or its form, is blacked out, and
 * very long ones are kept in part. Always JSON.
 */
export function auditedArguments(text: string): { text: string; isPartial: boolean } {
  const redacted = redact(text);
  if (redacted.length <= longestArguments) return { text: redacted, isPartial: false };
  const truncated = { length: redacted.length, start: redacted.slice(0, keptStart) };
  return { text: JSON.stringify({ truncated }), isPartial: true };
}

/** Text that is not a call's arguments, but may quote them. */
export function auditedText(text: string): string {
  return text.replaceAll(secretText, blackedOut).slice(0, 2_000);
}

function redact(text: string): string {
  try {
    return JSON.stringify(
      JSON.parse(text, (name, value: unknown) => {
        if (typeof value !== 'string') return value;
        return secretName.test(name) ? blackedOut : value.replaceAll(secretText, blackedOut);
      }),
    );
  } catch {
    return JSON.stringify({ unreadable: auditedText(text) });
  }
}
