import type { Source, SourceConnector } from '@docwright/contract';
import { expect, it } from 'vitest';
import {
  connectorOf,
  isSendable,
  needsSecretAgain,
  signedInBy,
  sourceBody,
  sourceChange,
  sourceDraft,
} from './source-draft.ts';

const sourceWith = (connector: SourceConnector): Source => ({
  id: 's',
  name: 'Mail',
  connector,
  every: '1h',
  tag_ids: ['t'],
  auto_create: false,
  enabled: true,
  document_count: 0,
  created_at: '2026-11-01T00:00:00Z',
  created_by: 'u',
});
const folder: SourceConnector = {
  kind: 'folder',
  config: {
    path: '/in',
    settle_seconds: 0,
    ignore: ['.*'],
    depth: 2,
    subfolder_tags: true,
    afterwards: { do: 'move_to', folder: 'done' },
  },
};
const s3: SourceConnector = {
  kind: 's3',
  config: {
    endpoint: 'https://s3.example.com',
    region: 'eu',
    bucket: 'docs',
    prefix: 'in/',
    path_style: true,
    access_key_id: 'AK',
  },
  secret: '••••1234',
};
const imap: SourceConnector = {
  kind: 'imap',
  config: {
    host: 'mail.example.com',
    port: 993,
    tls: 'implicit',
    user: 'in@example.com',
    folder: 'INBOX',
    filter: { from: '@acme.com', has_attachment: true, max_age_days: 30 },
    parts: 'both',
    max_files: 10,
    max_mb: 20,
    afterwards: { do: 'mark_seen' },
    oauth: { provider: 'other', client_id: 'c', token_url: 'https://login.example.com/token', scope: 'mail' },
  },
  secret: '••••abcd',
};

it.each([folder, s3, imap])('a connector survives its form, without its secret', (connector) => {
  const source = sourceWith(connector);
  expect(connectorOf(sourceDraft(source), source)).toEqual({ kind: connector.kind, config: connector.config });
  expect(JSON.stringify(sourceDraft(source))).not.toContain('••••');
});

it('only what was changed is sent: an unchanged connector would start a sync', () => {
  const source = sourceWith(imap);
  expect(sourceChange({ ...sourceDraft(source), name: 'New', autoCreate: '' }, source)).toEqual({
    name: 'New',
    auto_create: null,
  });
  const draft = { ...sourceDraft(source), every: '15m', enabled: false, secret: 'new' };
  expect(sourceChange(draft, source)).toMatchObject({ every: '15m', enabled: false, connector: { secret: 'new' } });
});

it('keeping documents from models is sent when it is chosen or changed', () => {
  const source = { ...sourceWith(folder), never_to_model: true };
  expect(sourceChange(sourceDraft(source), source)).not.toHaveProperty('never_to_model');
  expect(sourceChange({ ...sourceDraft(source), neverToModel: false }, source)).toMatchObject({
    never_to_model: false,
  });
  expect(sourceBody(sourceDraft(source))).toMatchObject({ never_to_model: true });
});

it('a new folder leaves out temporary files by default, or what the user lists', () => {
  const draft = { ...sourceDraft(), name: 'In', folder: { ...sourceDraft().folder, path: ' /in ' } };
  expect(sourceBody(draft)).toEqual({
    name: 'In',
    every: '15m',
    enabled: true,
    connector: {
      kind: 'folder',
      config: { path: '/in', settle_seconds: 5, depth: 10, subfolder_tags: false, afterwards: { do: 'leave' } },
    },
  });
  const listed = { ...draft, folder: { ...draft.folder, ignore: '*.bak\n\n' } };
  expect(sourceBody(listed).connector?.config).toMatchObject({ ignore: ['*.bak'] });
});

it('a secret is asked for again for another host or user, and no other time', () => {
  const source = sourceWith(imap);
  const draft = sourceDraft(source);
  expect([needsSecretAgain(draft, source), isSendable(draft, source)]).toEqual([false, true]);
  const moved = { ...draft, imap: { ...draft.imap, host: 'other.example.com' } };
  expect([needsSecretAgain(moved, source), isSendable(moved, source)]).toEqual([true, false]);
  expect(isSendable({ ...moved, secret: 'x' }, source)).toBe(true);
  const other = { ...draft, imap: { ...draft.imap, folder: 'Archive', parts: 'mail' as const } };
  expect(needsSecretAgain(other, source)).toBe(false);
  const bucket = sourceWith(s3);
  const path = {
    ...sourceDraft(bucket),
    s3: { ...sourceDraft(bucket).s3, endpoint: 'https://s3.example.com/', prefix: '' },
  };
  expect(needsSecretAgain(path, bucket)).toBe(false);
});

it('a way to sign in brings its host, unless one was typed', () => {
  const { imap: empty } = sourceDraft();
  const microsoft = signedInBy(empty, 'microsoft');
  expect(microsoft.host).toBe('outlook.office365.com');
  expect(signedInBy(microsoft, 'google').host).toBe('imap.gmail.com');
  expect(signedInBy({ ...empty, host: 'mail.example.com' }, 'google').host).toBe('mail.example.com');
});

it('says whether the form can be sent', () => {
  const empty = sourceDraft();
  expect(isSendable(empty, undefined)).toBe(false);
  const bucket = {
    ...empty,
    name: 'B',
    kind: 's3' as const,
    s3: { ...empty.s3, endpoint: 'https://x.example', bucket: 'docs' },
  };
  // Without a key the machine's own role signs.
  expect(isSendable(bucket, undefined)).toBe(true);
  expect(isSendable({ ...bucket, s3: { ...bucket.s3, accessKeyId: 'AK' } }, undefined)).toBe(false);
  expect(isSendable({ ...bucket, s3: { ...bucket.s3, accessKeyId: 'AK' }, secret: 's' }, undefined)).toBe(true);
});
