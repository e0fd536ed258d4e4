import type { FastifyRequest } from 'fastify';

/** The language that the client accepts first, as a BCP 47 tag. Absent if it names none, as many programs do. */
export function acceptedLanguage({ headers }: Pick<FastifyRequest, 'headers'>): { language?: string } {
  const [first = ''] = (headers['accept-language'] ?? '').split(/[,;]/u);
  return /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/u.test(first.trim()) ? { language: first.trim() } : {};
}
