import type { CredentialDescription } from './n8n-types.ts';

/** The credential "Docwright API": the address of the server, and an access token. */
export class DocwrightApi {
  name = 'docwrightApi';
  displayName = 'Docwright API';
  properties: CredentialDescription['properties'] = [
    {
      displayName: 'Address',
      name: 'url',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://docwright.example.com',
    },
    {
      displayName: 'Access Token',
      name: 'token',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'Of the settings, with the rights Read, Propose, and Webhooks for the trigger',
    },
  ];
  authenticate = { type: 'generic', properties: { headers: { Authorization: '=Bearer {{$credentials.token}}' } } };
  test = { request: { baseURL: '={{$credentials.url}}', url: '/v0/me' } };
}
