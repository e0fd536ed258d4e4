import { setTimeout as sleep } from 'node:timers/promises';
import type { Laboratory } from '../laboratory.ts';
import type { Percentiles } from '../report.ts';
import type { Seeded } from '../seed.ts';

export interface Measured extends Percentiles {
  /** Processor milliseconds of all processes for one request. */
  processor: number;
}

/** Every list, filter, sort, search and count that the pages offer. */
export function looks({
  tagIds: [third, ninth],
  prompt,
  documents,
  collectionId,
  documentId,
}: Seeded): Record<string, string> {
  const late = Math.min(9_900, documents - 100);
  return {
    'documents, first page': '/documents?limit=25',
    'documents, late page': `/documents?limit=25&skip=${late}`,
    'documents by name': '/documents?limit=25&sort=document_name',
    'documents by size': '/documents?limit=25&sort=size_bytes&order=desc',
    'documents of a state': '/documents?limit=25&state=ocr_failed',
    'documents with a tag': `/documents?limit=25&tag_ids=${third}`,
    'documents with two tags': `/documents?limit=25&tag_ids=${third},${ninth}`,
    'documents with a tag and a state': `/documents?limit=25&tag_ids=${third}&state=ocr_failed`,
    'documents with a proposal': '/documents?limit=25&auto_create=proposed',
    'documents by part of the name': '/documents?limit=25&name_search=customer%2097',
    'documents by a rare name': '/documents?limit=25&name_search=654435',
    'documents that left their source': '/documents?limit=25&missing=true',
    'documents that need users': '/documents?limit=25&stage=needs_you',
    'released documents': '/documents?limit=25&release=released',
    'documents in the trash': '/documents/trash?limit=25',
    proposals: '/proposals',
    'accuracy of a prompt': `/prompts/${prompt.prompt_id}/accuracy`,
    usage: '/usage',
    'audit log': '/audit?limit=25',
    'audit log of a tool': '/audit?limit=25&tool=run_extraction',
    'audit log of a tool without entries': '/audit?limit=25&tool=delete_document',
    review: '/review?lease=false&limit=15',
    'review of a prompt': `/review?lease=false&limit=15&prompt_id=${prompt.prompt_id}`,
    collections: '/api/v2/collections',
    'a collection': `/api/v2/collections/${collectionId}`,
    'a document': `/documents/${documentId}`,
    'its results': `/documents/${documentId}/extractions`,
    tags: '/tags',
    runs: '/runs',
  };
}

const rounds = 8;
/** A look that takes longer is measured once. */
const slowMs = 2_000;

export async function lists(laboratory: Laboratory, seeded: Seeded): Promise<Record<string, Measured | string>> {
  const measured: Record<string, Measured | string> = {};
  // The first look at sums of many records starts a job that keeps them.
  for (const route of Object.values(looks(seeded))) await laboratory.ask(route).catch(() => undefined);
  await settled(laboratory);
  for (const [name, route] of Object.entries(looks(seeded))) {
    try {
      measured[name] = await measure(laboratory, route);
    } catch (error) {
      measured[name] = error instanceof Error ? error.message.slice(0, 120) : String(error);
    }
  }
  return measured;
}

async function measure(laboratory: Laboratory, route: string): Promise<Measured> {
  const times: number[] = [];
  const once = async () => {
    const start = performance.now();
    await laboratory.ask(route);
    return performance.now() - start;
  };
  const first = await once();
  const count = first > slowMs ? 1 : rounds;
  const before = sum(laboratory.processor());
  for (let round = 0; round < count; round += 1) times.push(await once());
  const processor = (sum(laboratory.processor()) - before) / count;
  times.sort((a, b) => a - b);
  const at = (share: number) => round1(times[Math.min(times.length - 1, Math.floor(times.length * share))]!);
  return { count, p50: at(0.5), p90: at(0.9), p99: at(0.99), processor: round1(processor) };
}

/** Resolves when the processes have done nothing for two seconds. */
async function settled(laboratory: Laboratory): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    const before = sum(laboratory.processor());
    await sleep(1_000);
    quiet = sum(laboratory.processor()) - before < 100 ? quiet + 1 : 0;
  }
}

const sum = (figures: Record<string, number>): number => Object.values(figures).reduce((a, b) => a + b, 0);
const round1 = (value: number): number => Number(value.toFixed(1));
