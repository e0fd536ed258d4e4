/** The first match counts: most browsers also claim to be Chrome or Safari. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//u],
  ['Opera', /\bOPR\//u],
  ['Firefox', /\b(Firefox|FxiOS)\//u],
  ['Chrome', /\b(Chrome|HeadlessChrome|CriOS)\//u],
  ['Safari', /\bSafari\//u],
];
const systems: readonly (readonly [string, RegExp])[] = [
  ['Android', /Android/u],
  ['iPhone', /iPhone/u],
  ['iPad', /iPad/u],
  ['Windows', /Windows/u],
  ['Mac', /Mac OS X|Macintosh/u],
  ['Linux', /Linux/u],
];

/** Names a device by its user agent: “Firefox on Windows”, or the first word of a program such as “curl”. */
export function deviceName(userAgent: string): string {
  const found = (names: typeof browsers) => names.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const browser = found(browsers);
  const system = found(systems);
  if (browser === undefined) return userAgent.split(/[/\s]/u)[0] || 'Unknown device';
  return system === undefined ? browser : `${browser} on ${system}`;
}
