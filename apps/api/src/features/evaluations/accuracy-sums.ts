import { leafPaths } from '@docwright/review';
import { compareResults } from '@docwright/scorer';
import { add, type Figures } from '../../platform/database/figures.ts';
import type { KeptSums } from '../../platform/database/kept-sums/kept-sums.ts';
import type { Summed } from '../../platform/database/kept-sums/summed.ts';
import type { VerifiedResult, VerifiedResultRepository } from '../extractions/index.ts';
import type { ResultDocuments, ResultIndexRepository } from '../results/index.ts';

/** The places of the figures of a group. */
export const places = { documents: 0, untouched: 1, values: 2, unseen: 3, correct: 4, spurious: 5 } as const;

interface AccuracySumsDependencies {
  sums: KeptSums;
  verifiedOf: (organizationId: string) => Pick<VerifiedResultRepository, 'results' | 'documentIds'>;
  index: Pick<ResultIndexRepository, 'stamp' | 'newest' | 'entries' | 'pending'>;
  documents: Pick<ResultDocuments, 'unlisted' | 'keptFromModels'>;
  /** The JSON schema of a schema's revision. */
  schemaOf: (organizationId: string, revid: string) => Promise<unknown>;
  /** Wakes the job that calls `keepUp`. */
  wake: () => Promise<void>;
}

/**
 * What verified results say about the original answers of models, summed by `overall`, `revision …`, `field …`,
 * `model …` and `month …`. Each document contributes its figures: all but those of revisions come from its newest result.
 */
export type AccuracySums = ReturnType<typeof createAccuracySums>;

const prefix = 'accuracy ';
/** A request measures so many documents; a job measures more, and those that it has measured count until then. */
const maxInRequest = 200;
const maxPending = 10_000;
/** A write of the index can become visible this much later than its time stamp. */
const overlapMs = 10_000;
/** The index keeps entries of removed results longer than this. */
const maxAgeMs = 12 * 3_600_000;

export function createAccuracySums(dependencies: AccuracySumsDependencies) {
  const { sums, verifiedOf, index, documents, schemaOf, wake } = dependencies;

  function summedOf(organizationId: string, promptId: string): Summed {
    const key = { organizationId, promptId };
    const verified = verifiedOf(organizationId);
    const schemas = new Map<string, Promise<unknown>>();
    const cachedSchema = async (revid: string | null): Promise<unknown> => {
      if (revid === null) return undefined;
      const known = schemas.get(revid) ?? schemaOf(organizationId, revid);
      schemas.set(revid, known);
      return await known;
    };

    async function* written(since: Date) {
      for await (const entries of index.entries(key, since))
        yield entries.map(({ document_id }) => String(document_id));
    }

    return {
      organizationId,
      name: prefix + promptId,
      async stamp() {
        // The time first: what is written meanwhile is read again.
        const newest = await index.newest(key);
        return `${newest?.getTime() ?? ''} ${await index.stamp(key)}`;
      },
      all: () => verified.documentIds(promptId),
      changed({ stamp, keptAt }) {
        const newest = Number(stamp.split(' ')[0]);
        if (newest === 0 || Date.now() - keptAt.getTime() > maxAgeMs) return undefined;
        return written(new Date(newest - overlapMs));
      },
      async unstamped() {
        return [...new Set((await index.pending(maxPending, key)).map(({ documentId }) => documentId))];
      },
      async measure(members) {
        const contributions = new Map<string, Record<string, number[]>>();
        for await (const result of verified.results(promptId, members)) {
          const contribution = contributions.get(result.document_id) ?? {};
          contributions.set(result.document_id, contribution);
          add(contribution, await contributionOf(result, await cachedSchema(result.schema_revid)), 1);
        }
        return contributions;
      },
    };
  }

  return {
    /** Without documents that no list shows or that no model may see. */
    async ofPrompt(organizationId: string, promptId: string): Promise<{ figures: Figures; isWhole: boolean }> {
      const summed = summedOf(organizationId, promptId);
      const [all, unlisted, kept] = await Promise.all([
        sums.get(summed, maxInRequest),
        documents.unlisted.all(organizationId),
        documents.keptFromModels(organizationId),
      ]);
      const { figures, isWhole } = all;
      if (!isWhole) await wake();
      const hidden = [unlisted, kept].filter(({ size }) => size > 0);
      if (hidden.length === 0) return { figures, isWhole };
      const shown: Record<string, number[]> = {};
      add(shown, figures, 1);
      add(shown, await sums.contributionOf(summed, hidden), -1);
      return { figures: shown, isWhole };
    },
    /** Measures what has changed since a while, and prompts that were asked for first. */
    keepUp: (signal: AbortSignal): Promise<void> =>
      sums.keepUp(prefix, ({ organizationId, name }) => summedOf(organizationId, name.slice(prefix.length)), signal),
  };
}

async function contributionOf(verified: VerifiedResult & { isNewest: boolean }, schema: unknown): Promise<Figures> {
  const { total, fields } = await measure(verified, schema);
  // Each revision keeps what users verified of it; elsewhere a document counts once, with its newest result.
  const ofRevision = { [`revision ${verified.prompt_revid}`]: figuresOf(total) };
  if (!verified.isNewest) return ofRevision;
  return {
    ...ofRevision,
    overall: figuresOf(total),
    [`model ${verified.model}`]: figuresOf(total),
    [`month ${verified.created_at.toISOString().slice(0, 7)}`]: figuresOf(total),
    ...Object.fromEntries(fields.map(([field, counts]) => [`field ${field}`, figuresOf(counts)])),
  };
}

type AccuracyCounts = Record<'values' | 'unseen' | 'correct' | 'spurious', number>;

function figuresOf({ values, unseen, correct, spurious }: AccuracyCounts): number[] {
  // A document without a value that a user saw measures nothing.
  if (values === 0 && spurious === 0 && unseen > 0) return [0, 0, 0, unseen, 0, 0];
  return [1, values === correct && spurious === 0 ? 1 : 0, values, unseen, correct, spurious];
}

async function measure({ result, original_result, unseen }: VerifiedResult, schema: unknown) {
  const ignored = new Set(unseen);
  const { totals, fields } = await compareResults({
    ignored,
    truth: result,
    before: original_result,
    after: original_result,
    ...(schema ? { truthSchema: schema, candidateSchema: schema } : {}),
  });
  const unseenLeaves = leafPaths(result).filter(({ path }) => ignored.has(path));
  const countsOf = (
    { values, correct_after: correct, spurious_after: spurious }: typeof totals,
    leaves: readonly unknown[],
  ): AccuracyCounts => ({ values, unseen: leaves.length, correct, spurious });
  const byField = Map.groupBy(unseenLeaves, ({ field }) => field);
  return {
    total: countsOf(totals, unseenLeaves),
    fields: fields.map((field) => [field.field, countsOf(field, byField.get(field.field) ?? [])] as const),
  };
}
