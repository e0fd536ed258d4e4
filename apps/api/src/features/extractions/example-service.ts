import { setImmediate } from 'node:timers/promises';
import type { ResponseFormat } from '@docwright/contract';
import type { PageRepository } from '../documents/index.ts';
import {
  boundedExample,
  type VerifiedExample,
  passagesOf,
  nearest,
  profileOf,
  profiledCharacters,
  type WordProfile,
} from '../examples/index.ts';
import type { VerifiedResult, VerifiedResultRepository } from './verified-result-repository.ts';

interface ExampleDependencies {
  verifiedOf: (organizationId: string) => Pick<VerifiedResultRepository, 'truth' | 'get'>;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'texts' | 'beginnings'>;
}

interface ExamplesWanted {
  organizationId: string;
  promptId: string;
  /** The document that a result is asked for: it is never its own example, and neither is a copy of it. */
  documentId: string;
  pages: readonly { text: string }[];
  count: number;
  responseFormat: ResponseFormat | undefined;
}

/** Verified results of the same prompt, of the documents whose text is nearest by words. */
export type ExamplesFor = (wanted: ExamplesWanted) => Promise<VerifiedExample[]>;

/** Verified documents that are looked at: those that were verified or edited last. */
const maxCandidates = 200;
/** Documents whose words are remembered; the text of a document that has been read does not change. */
const maxRemembered = 1_000;
const maxPassagePages = 5;

export function createExamples({ verifiedOf, pagesOf }: ExampleDependencies): ExamplesFor {
  const remembered = new Map<string, WordProfile>();

  async function profiles(organizationId: string, ids: readonly string[]): Promise<Map<string, WordProfile>> {
    const missing = ids.filter((id) => !remembered.has(id));
    const texts = missing.length === 0 ? undefined : await pagesOf(organizationId).beginnings(missing);
    const found = new Map<string, WordProfile>();
    for (const id of ids) {
      let profile = remembered.get(id);
      if (profile === undefined) {
        profile = profileOf(texts?.get(id) ?? '');
        await setImmediate();
      }
      found.set(id, profile);
      // Those that were not used for longest are the first to go.
      remembered.delete(id);
      remembered.set(id, profile);
    }
    for (const id of remembered.keys()) {
      if (remembered.size <= maxRemembered) break;
      remembered.delete(id);
    }
    return found;
  }

  async function exampleOf(organizationId: string, found: VerifiedResult, format: ResponseFormat | undefined) {
    const numbers = new Set(Object.values(found.grounding).flatMap(({ page_num }) => page_num ?? []));
    const pages = new Map<number, string>();
    for (const number of [...numbers].toSorted((one, other) => one - other).slice(0, maxPassagePages)) {
      const [page] = await pagesOf(organizationId).texts(found.document_id, number);
      if (page) pages.set(number, page.text);
    }
    return { result: withoutFormerFields(found.result, format), passages: passagesOf(found.grounding, pages) };
  }

  return async ({ organizationId, promptId, documentId, pages, count, responseFormat }) => {
    if (count === 0) return [];
    const verified = verifiedOf(organizationId);
    const references = (await verified.truth(promptId, maxCandidates)).filter(
      (reference) => reference.document_id !== documentId,
    );
    const byDocument = await profiles(
      organizationId,
      references.map(({ document_id }) => document_id),
    );
    const candidates = references.flatMap((reference) => {
      const profile = byDocument.get(reference.document_id);
      return profile ? [{ reference, profile }] : [];
    });
    const examples: VerifiedExample[] = [];
    for (const { reference } of await nearest(profileOf(beginningOf(pages)), candidates)) {
      if (examples.length === count) break;
      // It may have been changed or unverified meanwhile, or be too long to be shown: the next one takes its place.
      const found = await verified.get(reference);
      const example = found && (await exampleOf(organizationId, found, responseFormat));
      if (example && boundedExample(example) !== undefined) examples.push(example);
    }
    return examples;
  };
}

function beginningOf(pages: readonly { text: string }[]): string {
  let text = '';
  for (const page of pages) {
    if (text.length >= profiledCharacters) break;
    text += `${page.text}\n`;
  }
  return text;
}

/** Fields that the schema does not have any more would teach what is not wanted. */
function withoutFormerFields(result: unknown, format: ResponseFormat | undefined): unknown {
  const { properties } = (format?.json_schema.schema ?? {}) as { properties?: object };
  if (properties === undefined || typeof result !== 'object' || result === null) return result;
  return Object.fromEntries(Object.entries(result).filter(([name]) => Object.hasOwn(properties, name)));
}
