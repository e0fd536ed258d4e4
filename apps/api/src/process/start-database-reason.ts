const refusesSignIn = new Set<unknown>([13, 18, 8000]);

/** What the driver says, in one line and without the address, which may hold a password. */
export function reasonOf(error: unknown): string {
  if (refusesSignIn.has((error as { code?: unknown }).code)) {
    return 'the database refuses the sign-in: its user or password in MONGODB_URI is wrong or missing.';
  }
  const [first = ''] = (error as Error).message.split('\n');
  const line = first.replaceAll(/mongodb(\+srv)?:\/\/\S+/g, 'MONGODB_URI').slice(0, 300);
  return /[.!]$/.test(line) ? line : `${line}.`;
}
