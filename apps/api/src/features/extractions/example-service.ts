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
import type { VerifiedResult, VerifiedResultRepository } from './records/verified-result-repository.ts';

interface ExampleDependencies {
  verifiedOf: (organizationId: string) => Pick<VerifiedResultRepository, 'truth' | 'get'>;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'texts' | 'beginnings'>;
}

interface ExamplesWanted {
  organizationId: string;
  promptId: string;
  /** The document to extract from. Neither it nor a copy of it is an example for itself. */
  documentId: string;
  /** Read only as far as examples are chosen by. */
  pages: AsyncIterable<{ text: string }>;
  count: number;
  responseFormat: ResponseFormat | undefined;
}

/** Finds verified results of the same prompt on the documents with the most similar words. */
export type ExamplesFor = (wanted: ExamplesWanted) => Promise<VerifiedExample[]>;

/** How many verified documents are compared: the last changed ones. */
const maxCandidates = 200;
/** How many word profiles are cached. The text of a read document does not change. */
const maxCachedProfiles = 1_000;
const maxPassagePages = 5;

export function createExamples({ verifiedOf, pagesOf }: ExampleDependencies): ExamplesFor {
  const cachedProfiles = new Map<string, WordProfile>();

  async function readProfiles(organizationId: string, ids: readonly string[]): Promise<Map<string, WordProfile>> {
    const missing = ids.filter((id) => !cachedProfiles.has(id));
    const texts = missing.length === 0 ? undefined : await pagesOf(organizationId).beginnings(missing);
    const found = new Map<string, WordProfile>();
    for (const id of ids) {
      let profile = cachedProfiles.get(id);
      if (profile === undefined) {
        profile = profileOf(texts?.get(id) ?? '');
        await setImmediate();
      }
      found.set(id, profile);
      // Moves the profile to the end: the least recently used ones are dropped first.
      cachedProfiles.delete(id);
      cachedProfiles.set(id, profile);
    }
    for (const id of cachedProfiles.keys()) {
      if (cachedProfiles.size <= maxCachedProfiles) break;
      cachedProfiles.delete(id);
    }
    return found;
  }

  async function exampleOf(organizationId: string, found: VerifiedResult, format: ResponseFormat | undefined) {
    const numbers = new Set(Object.values(found.grounding).flatMap(({ page_num }) => page_num ?? []));
    const pages = new Map<number, string>();
    for (const number of [...numbers].toSorted((a, b) => a - b).slice(0, maxPassagePages)) {
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
    const byDocument = await readProfiles(
      organizationId,
      references.map(({ document_id }) => document_id),
    );
    const candidates = references.flatMap((reference) => {
      const profile = byDocument.get(reference.document_id);
      return profile ? [{ reference, profile }] : [];
    });
    const examples: VerifiedExample[] = [];
    for (const { reference } of await nearest(profileOf(await beginningOf(pages)), candidates)) {
      if (examples.length === count) break;
      // Skips a result that has changed meanwhile, has values that nobody saw, or is too long to be shown.
      const found = await verified.get(reference);
      const example = found?.unseen.length === 0 && (await exampleOf(organizationId, found, responseFormat));
      if (example && boundedExample(example) !== undefined) examples.push(example);
    }
    return examples;
  };
}

async function beginningOf(pages: AsyncIterable<{ text: string }>): Promise<string> {
  let text = '';
  for await (const page of pages) {
    text += `${page.text}\n`;
    if (text.length >= profiledCharacters) break;
  }
  return text;
}

/** Removes fields that the schema no longer has: the model would learn to answer with them. */
function withoutFormerFields(result: unknown, format: ResponseFormat | undefined): unknown {
  const { properties } = (format?.json_schema.schema ?? {}) as { properties?: object };
  if (properties === undefined || typeof result !== 'object' || result === null) return result;
  return Object.fromEntries(Object.entries(result).filter(([name]) => Object.hasOwn(properties, name)));
}
