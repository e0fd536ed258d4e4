import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const infra = path.resolve(import.meta.dirname, '../../infra');
const file = fs.readFileSync(path.join(infra, 'compose.yaml'), 'utf8');

/** The lines of each entry with this indentation, by its name. */
function entries(text: string, indentation: string): Map<string, string> {
  const parts = text.split(new RegExp(`^(?=${indentation}[\\w-]+:)`, 'mu'));
  return new Map(parts.map((part) => [/^\s*(?<name>[\w-]+):/u.exec(part)?.groups?.['name'] ?? '', part]));
}

const top = entries(file, '');
/** A service together with the block that it merges. */
const services = [...entries(top.get('services')?.replace(/^services:\n/u, '') ?? '', '  ')].map(([name, text]) => {
  const merged = /^ {4}<<: \*(?<block>\w+)$/mu.exec(text)?.groups?.['block'];
  return { name, text: merged === undefined ? text : text + (top.get(`x-${merged}`) ?? '') };
});

it('has each service of the larger installation', () => {
  expect(services.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['proxy', 'api', 'worker', 'mongo-1', 'replica-set', 'litellm', 'prometheus', 'grafana']),
  );
});

it.each(services)('$name has a limit of its memory and an image of one version', ({ text }) => {
  expect(text).toMatch(/memory: \d+[gm]\b/u);
  expect(/image: (?<image>\S+)/u.exec(text)?.groups?.['image']).toMatch(/:(?:v?\d+\.\d+\.\d+|\$\{DOCWRIGHT_VERSION)/u);
});

it.each(services.filter(({ name }) => name !== 'replica-set'))('$name is checked while it runs', ({ text }) => {
  const image = text.includes('dockerfile: infra/Dockerfile')
    ? fs.readFileSync(path.join(infra, 'Dockerfile'), 'utf8')
    : '';
  expect(text + image).toMatch(/healthcheck:\n|^HEALTHCHECK /mu);
});

it('has its secrets in files, each declared and mounted where it is read', () => {
  const declared = [...entries(top.get('secrets')?.replace(/^secrets:\n/u, '') ?? '', '  ').keys()];
  expect(declared).toEqual(['app-secret', 'grafana-password']);
  for (const { name, text } of services) {
    const settings = text.includes('*settings') ? text + (top.get('x-settings') ?? '') : text;
    const mounted = (/secrets: \[(?<names>[^\]]*)\]/u.exec(text)?.groups?.['names'] ?? '').split(', ').filter(Boolean);
    const read = [...settings.matchAll(/\/run\/secrets\/([\w-]+)/gu)].map(([, secret]) => secret);
    expect([name, mounted]).toEqual([name, [...new Set(read)]]);
  }
  expect(file).not.toMatch(/APP_SECRET:|PASSWORD: /u);
  // Neither the repository nor an image takes them.
  expect(fs.readFileSync(path.join(infra, '../.gitignore'), 'utf8')).toMatch(/^infra\/secrets\/$/mu);
  expect(fs.readFileSync(path.join(infra, 'Dockerfile'), 'utf8')).not.toMatch(/^COPY (?:\. |infra )/mu);
});
