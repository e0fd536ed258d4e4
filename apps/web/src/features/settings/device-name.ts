/** The first that matches: most browsers also call themselves Chrome or Safari. */
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

/** "Firefox on Windows" for what a browser calls itself; a program's own first word, such as "curl". */
export function deviceName(userAgent: string): string {
  const found = (names: typeof browsers) => names.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const browser = found(browsers);
  const system = found(systems);
  if (browser === undefined) return userAgent.split(/[/\s]/u)[0] || 'Unknown device';
  return system === undefined ? browser : `${browser} on ${system}`;
}
