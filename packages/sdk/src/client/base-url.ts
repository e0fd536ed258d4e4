import { clientError } from './docwright-error.ts';

/** Normalizes the address of a server: without a trailing slash, query or fragment. */
export function readBaseUrl(given: string): string {
  const cure = 'Give it as http://127.0.0.1:3000 or https://docwright.example.com.';
  const url = tryParse(given);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw clientError('invalid_base_url', `"${given}" is not the address of a server. ${cure}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw clientError('invalid_base_url', `The address of the server must not contain a user or password. ${cure}`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function tryParse(given: string): URL | null {
  try {
    return new URL(given);
  } catch {
    return null;
  }
}
