const maxArguments = 32_000;
const maxStart = 4_000;
const secretName = /pass(word|phrase)|secret|token|api[-_ ]?key|private[-_ ]?key|authorization|credential/i;
/** Keys of well-known services, HTTP credentials, JSON web tokens, passwords in URLs. */
const secretText =
  /\b(sk|pk|rk|ghp|gho|ghs|xox[abpr]|dw)[-_][\w-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bbearer\s+[\w+/=.~-]{16,}|\bauthorization:\s*basic\s+[\w+/=]+|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|(?<=:\/\/[^\s:/@]{0,100}:)[^\s@/]{1,200}(?=@)/gi;
const redacted = '[redacted]';
const maxSecretStart = 300;

/**
 * A call's arguments for the audit log: values that look like secrets by their name or form are redacted, and long
 * arguments are truncated. Always JSON.
 */
export function auditedArguments(text: string): { text: string; isPartial: boolean } {
  const { json, isWhole } = redactedStart(text);
  if (isWhole && json.length <= maxArguments) return { text: json, isPartial: false };
  const truncated = { length: text.length, start: json.slice(0, maxStart) };
  return { text: JSON.stringify({ truncated }), isPartial: true };
}

/** A text that can quote a call's arguments, such as an error. */
export function auditedText(text: string): string {
  return text.replaceAll(secretText, redacted).slice(0, 2_000);
}

/** A text up to a length. At a cut, what can be the beginning of a secret is left out: some are known by their end alone. */
function redactedText(text: string, maxLength: number): string {
  const safe = text.slice(0, maxLength).replaceAll(secretText, redacted);
  return text.length > maxLength ? safe.slice(0, -maxSecretStart) : safe;
}

/**
 * A call's arguments without values that look like secrets, as JSON. Values beyond `maxArguments` characters, of which nothing
 * is shown, are left out: to look for secrets in tens of thousands of them takes longer than other requests may wait.
 */
function redactedStart(text: string): { json: string; isWhole: boolean } {
  let room = maxArguments;
  let isWhole = true;
  const redact = (name: string, value: unknown): unknown => {
    const size = typeof value === 'string' ? value.length : 1;
    isWhole &&= size <= room;
    if (room <= 0) return undefined;
    room -= 1;
    if (Array.isArray(value)) return value.slice(0, room + 1);
    if (typeof value !== 'string') return value;
    const safe = secretName.test(name) ? redacted : redactedText(value, room + 1);
    room -= safe.length;
    return safe;
  };
  try {
    return { json: JSON.stringify(JSON.parse(text), redact), isWhole };
  } catch {
    return { json: JSON.stringify({ unreadable: auditedText(text) }), isWhole };
  }
}
