/** What a thread is called before its first message. */
export const untitled = 'New conversation';

const titleLength = 50;

/** The first 50 characters of a message; a character beyond the basic plane counts once. */
export function titleFrom(message: string): string {
  return Array.from(message).slice(0, titleLength).join('') || untitled;
}
