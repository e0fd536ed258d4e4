import fs from 'node:fs';
import path from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { expect, it } from 'vitest';
import { parseAllDocuments, parse } from 'yaml';
import packageInfo from '../../package.json' with { type: 'json' };

const infra = path.resolve(import.meta.dirname, '../../infra');
const folder = path.join(infra, 'kubernetes');
const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');
const kustomization = parse(read('kustomization.yaml')) as {
  resources: string[];
  images: { name: string; newTag: string }[];
};

const kinds = { Deployment, PodDisruptionBudget, ConfigMap, Namespace, Service };
interface Manifest {
  kind: keyof typeof kinds;
  metadata: { name: string };
}

/** All objects of the files that the kustomization names. */
const objects = kustomization.resources.flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  }),
);
const named = <Kind extends keyof typeof kinds>(kind: Kind, name: string) => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  return new kinds[kind](found) as InstanceType<(typeof kinds)[Kind]>;
};
const dockerfile = fs.readFileSync(path.join(infra, 'Dockerfile'), 'utf8');
const roles = ['api', 'worker'];

it('names every file of the folder', () => {
  const files = fs.readdirSync(folder).filter((file) => file !== 'kustomization.yaml');
  expect(files.sort()).toEqual([...kustomization.resources].sort());
});

/** Every path to a value, as in `['spec', 'ports', '0']`. */
const pathsOf = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsOf(inner).map((rest) => [key, ...rest])])
    : [];

/** The schemas allow unknown fields. A field is known if they refuse a value of no type in it. */
function isKnown(object: Manifest, at: string[]): boolean {
  const changed = structuredClone(object);
  let inner = changed as unknown as Record<string, unknown>;
  for (const key of at.slice(0, -1)) inner = inner[key] as Record<string, unknown>;
  inner[at.at(-1)!] = Symbol('of no type');
  try {
    new kinds[object.kind](changed).validate();
    return false;
  } catch {
    return true;
  }
}

it.each(objects)('$kind $metadata.name has the fields of its kind and no others', (object) => {
  expect(() => new kinds[object.kind](object as never).validate()).not.toThrow();
  expect(pathsOf(object).filter((at) => !isKnown(object, at))).toEqual([]);
});

it('finds a field that is spelled wrongly', () => {
  const object = structuredClone(objects.find(({ kind }) => kind === 'Deployment')!);
  Object.assign((object as unknown as { spec: object }).spec, { replica: 2 });
  expect(pathsOf(object).filter((at) => !isKnown(object, at))).toEqual([['spec', 'replica']]);
});

it.each(roles)('%s has probes, limits and few rights, and writes where the image lets it write', (role) => {
  const pod = named('Deployment', `docwright-${role}`).spec!.template.spec!;
  const [container] = pod.containers;
  expect(container).toMatchObject({
    startupProbe: { httpGet: { path: '/health', port: 'http' } },
    readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
    livenessProbe: { httpGet: { path: '/health', port: 'http' } },
    resources: { limits: { memory: '2Gi' } },
    securityContext: {
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    },
    env: expect.arrayContaining([{ name: 'ROLE', value: role }]) as unknown,
  });
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  const port = container!.ports![0]!.containerPort;
  expect(dockerfile).toContain(`PORT=${port} DATA_DIR=/data`);
  const written = container!.volumeMounts!.filter(({ readOnly }) => readOnly !== true);
  expect(written.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
  expect(kustomization.images.map(({ name }) => name)).toContain(container!.image);
  expect(kustomization.images.map(({ newTag }) => newTag)).toEqual([packageInfo.version]);
});

it.each(roles)('%s keeps processes while machines are emptied and settings change', (role) => {
  const { spec } = named('Deployment', `docwright-${role}`);
  expect(spec!.replicas).toBeGreaterThan(1);
  expect(spec!.strategy!.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
  const labels = spec!.selector.matchLabels;
  expect(spec!.template.metadata!.labels).toMatchObject(labels!);
  expect(named('PodDisruptionBudget', `docwright-${role}`).spec).toEqual({
    maxUnavailable: 1,
    selector: { matchLabels: labels },
  });
  // A process needs 15 s, and the pause before it counts too.
  const pause = spec!.template.spec!.containers[0]!.lifecycle?.preStop?.exec?.command?.[1] ?? '0';
  expect(spec!.template.spec!.terminationGracePeriodSeconds).toBeGreaterThan(15 + Number(pause));
});

it('sends requests to API processes alone, and pauses before they stop', () => {
  const { template } = named('Deployment', 'docwright-api').spec!;
  expect(named('Service', 'docwright').spec!.selector).toEqual(template.metadata!.labels);
  expect(template.spec!.containers[0]!.lifecycle!.preStop!.exec!.command).toEqual(['sleep', '5']);
});

it('takes secrets from files of the platform, and only settings that exist', () => {
  const settings = named('ConfigMap', 'docwright-settings').data!;
  const documented = fs.readFileSync(path.join(infra, '../docs/operators/settings.md'), 'utf8');
  for (const name of Object.keys(settings)) expect(documented).toContain(`\`${name}\``);
  const secrets = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'));
  expect(secrets.map(([name]) => name).sort()).toEqual(['APP_SECRET_FILE', 'LLM_API_KEY_FILE', 'MONGODB_URI_FILE']);
  const running = fs.readFileSync(path.join(infra, '../docs/operators/running.md'), 'utf8');
  for (const role of roles) {
    const pod = named('Deployment', `docwright-${role}`).spec!.template.spec!;
    const mount = pod.containers[0]!.volumeMounts!.find(({ name }) => name === 'secrets');
    for (const [, file] of secrets) {
      expect(path.dirname(file)).toBe(mount!.mountPath);
      expect(running).toContain(`--from-file=${path.basename(file)}`);
    }
  }
  expect(kustomization.resources.map(read).join('')).not.toMatch(/kind: Secret|(?:APP_SECRET|MONGODB_URI|API_KEY):/u);
});
