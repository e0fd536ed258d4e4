import { describe, expect, it } from 'vitest';
import { originsOf, sourceFiles, type SourceFile } from './source-files.ts';

const files = sourceFiles();
const known = new Map(files.map((file) => [file.path, file]));
const production = files.filter(
  (file) => !/\.test\.tsx?$|\/testing\//.test(file.path) && !file.path.startsWith('tests/'),
);

/** Forbidden imports: files under `from` (except under `except`) import nothing that matches `never`. */
const forbidden: { why: string; from: RegExp; except?: RegExp; never: RegExp }[] = [
  {
    why: 'the contract knows zod alone',
    from: /^packages\/contract\//,
    never: /^(?!zod$|packages\/contract\/)/,
  },
  {
    why: 'agent-core knows no HTTP server, database or job queue',
    from: /^packages\/agent-core\//,
    never:
      /^(fastify|@fastify\/|mongoose|mongodb|agenda|@agendajs\/|@docwright\/(api|documents|embedded-mongo|demo-model)|apps\/)/,
  },
  {
    why: 'one file speaks to the openai SDK',
    from: /^(apps|packages)\//,
    except: /^packages\/agent-core\/src\/llm\//,
    never: /^openai(\/|$)/,
  },
  {
    why: 'the Model Context Protocol is spoken in one folder of the server and one of the command',
    from: /^(apps|packages)\//,
    except: /^(apps\/api\/src\/features\/mcp|packages\/sdk\/src\/command\/mcp)\//,
    never: /^@modelcontextprotocol\//,
  },
  {
    why: 'permissions, tools, model client and turn store stand below the loop',
    from: /^packages\/agent-core\/src\/(permissions|tool|llm|turns)\//,
    never: /^packages\/agent-core\/src\/(loop|document-agent|schema-chat|task-agent|pipeline-agent|sub-agents)\//,
  },
  {
    why: 'the loop knows no agent',
    from: /^packages\/agent-core\/src\/loop\//,
    never: /^packages\/agent-core\/src\/(document-agent|schema-chat|task-agent|pipeline-agent|sub-agents)\//,
  },
  {
    why: 'sub-agents know no agent that calls them',
    from: /^packages\/agent-core\/src\/sub-agents\//,
    never: /^packages\/agent-core\/src\/(schema-chat|task-agent|pipeline-agent)\//,
  },
  {
    why: 'the document packages stand alone',
    from: /^packages\/(documents|demo-model|embedded-mongo|language)\//,
    never: /^(@docwright\/(?!(contract|language(\/detect)?)$)|apps\/|fastify|mongoose)/,
  },
  {
    why: 'the scorer computes, and knows nothing else',
    from: /^packages\/scorer\/(?!.*\.test\.ts$)/,
    never: /^(?!packages\/scorer\/)/,
  },
  {
    why: 'what is known of languages is in one package',
    from: /^(apps|packages)\//,
    except: /^packages\/language\//,
    never: /^(eld|@orama|franc|snowball)(\/|-|$)/,
  },
  {
    why: 'only repositories, models, their composition and the database folder know mongoose',
    from: /^apps\/api\/src\//,
    except: /^apps\/api\/src\/(platform\/(database|leases)|process)\/|[-/](repository|model|services|feature)\.ts$/,
    never: /^(mongoose|mongodb)$/,
  },
  {
    why: 'services and repositories know no HTTP',
    from: /^apps\/api\/src\/.*-(service|repository|model|job)\.ts$/,
    never: /^(fastify|@fastify\/)|-routes\.ts$/,
  },
  {
    why: 'jobs call services, never routes or repositories',
    from: /^apps\/api\/src\/.*-job\.ts$/,
    never: /-(routes|repository)\.ts$/,
  },
  {
    why: 'the sdk knows the server through the types of the contract alone',
    from: /^packages\/sdk\/src\//,
    never: /^(@docwright\/(?!contract$)|apps\/|packages\/(?!sdk\/)|zod\/|fastify|mongoose)/,
  },
  {
    why: 'the client of the sdk runs where there is no Node.js: only the command and reading a path need it',
    from: /^packages\/sdk\/src\//,
    except: /^packages\/sdk\/src\/(command\/|uploads\/open-file\.ts$)/,
    never: /^(node:|commander$|@clack\/|packages\/sdk\/src\/command\/)/,
  },
  {
    why: 'the web app knows the server through the contract alone',
    from: /^apps\/web\//,
    never: /^(@docwright\/(?!contract$|sdk$)|apps\/api\/|packages\/)/,
  },
];

function violations(rule: (typeof forbidden)[number]): string[] {
  const within = (file: SourceFile) => rule.from.test(file.path) && rule.except?.test(file.path) !== true;
  return production
    .filter(within)
    .flatMap((file) =>
      file.imports.flatMap((specifier) =>
        originsOf(file, specifier, known).map((place) => ({ file: file.path, place })),
      ),
    )
    .filter(({ place }) => rule.never.test(place))
    .map(({ file, place }) => `${file} imports ${place}`);
}

describe('import arrows', () => {
  it.each(forbidden)('$why', (rule) => {
    expect(violations(rule)).toEqual([]);
  });

  it('sees the imports that it judges', () => {
    expect(production.length).toBeGreaterThan(40);
    expect(production.flatMap((file) => file.imports).length).toBeGreaterThan(100);
  });
});

describe('files', () => {
  it('are at most 300 lines long, the median near 60', () => {
    const tooLong = files.filter((file) => file.lines > 300).map((file) => `${file.path}: ${file.lines}`);
    expect(tooLong).toEqual([]);
    const lengths = files.map((file) => file.lines).toSorted((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(110);
  });

  it('are named in kebab-case for the one thing inside', () => {
    const heaps = /(^|\/)(utils?|helpers?|types|misc|common-utils)\.tsx?$/;
    const kebab = /(^|\/)[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.(ts|tsx|mjs)$/;
    expect(files.filter((file) => heaps.test(file.path) || !kebab.test(file.path)).map((file) => file.path)).toEqual(
      [],
    );
  });

  it('of tests that replace modules are isolated from all others', () => {
    const replaces = /^vi\.(mock|doMock)\(/m;
    const found = files.filter((file) => /\.test\.tsx?$/.test(file.path) && replaces.test(file.text));
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ path }) => path).filter((path) => !/\.isolated\.test\.tsx?$/.test(path))).toEqual([]);
  });

  it('leave nothing unfinished or switched off', () => {
    const marks =
      /\b(TODO|FIXME|XXX)\b|@ts-ignore|@ts-expect-error|(eslint|oxlint)-disable|\b(it|test|describe)\.(only|todo)\(/;
    const own = 'tests/architecture/architecture.test.ts';
    expect(files.filter((file) => file.path !== own && marks.test(file.text)).map((file) => file.path)).toEqual([]);
  });
});
