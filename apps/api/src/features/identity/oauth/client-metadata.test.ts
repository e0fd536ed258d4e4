import { expect, it } from 'vitest';
import { isRedirectAddress } from './client-metadata.ts';

it('a redirect goes to no scheme of a browser or a system', () => {
  const refused = ['smb://evil.example/a', 'intent:evil', 'chrome://settings/', 'ms-msdt:/id', 'search-ms:query=a'];
  expect(refused.filter(isRedirectAddress)).toEqual([]);
  const allowed = [
    'https://a.example/back',
    'http://127.0.0.1:33418/',
    'cursor://anysphere.cursor-mcp/oauth',
    'vscode://a/b',
  ];
  expect(allowed.filter(isRedirectAddress)).toEqual(allowed);
});
