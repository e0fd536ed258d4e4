import { ObjectId } from 'mongodb';
import type { Laboratory } from './laboratory.ts';
import type { Report } from './report.ts';
import { caseOf, fileOf } from './traffic.ts';

/** Which stories were uploaded, and which had a chat that ended. */
export interface Told {
  uploaded: readonly number[];
  chatted: readonly number[];
}

/** Nothing is lost and nothing happened twice: each story has one document with one page, and one prompt by one call. */
export async function check({ db, organizationId }: Laboratory, told: Told, report: Report): Promise<void> {
  const organization_id = new ObjectId(organizationId);
  const documents = await db
    .collection('documents')
    .find({ organization_id, document_name: { $regex: '^story ' }, duplicate_of: null, deleted_at: null })
    .toArray();
  const byName = Map.groupBy(documents, (document) => String(document['document_name']));
  const pages = await db
    .collection('document_pages')
    .aggregate<{ _id: ObjectId; count: number }>([
      { $match: { document_id: { $in: documents.map(({ _id }) => _id) } } },
      { $group: { _id: '$document_id', count: { $sum: 1 } } },
    ])
    .toArray();
  const pagesOf = new Map(pages.map(({ _id, count }) => [String(_id), count]));
  for (const story of told.uploaded) {
    const own = byName.get(fileOf(story)) ?? [];
    if (own.length !== 1) report.problem(`story ${story} has ${own.length} documents`);
    for (const { _id, state } of own) {
      const count = pagesOf.get(String(_id)) ?? 0;
      if (count !== 1) report.problem(`story ${story} has ${count} pages and is ${String(state)}`);
    }
  }
  const prompts = await db.collection('prompts').find({ organization_id }).toArray();
  const entries = await db
    .collection('audit_entries')
    .find({ organization_id, tool: 'create_prompt', kind: 'executed' })
    .toArray();
  const turns = await db
    .collection('agent_turns')
    .find({ document_id: { $in: documents.map(({ _id }) => _id) } })
    .toArray();
  for (const story of told.chatted) {
    const name = caseOf(story);
    // A second one is called “case-1 2”.
    const made = prompts.filter((prompt) => new RegExp(`^${name}(?: |$)`, 'u').test(String(prompt['name'])));
    if (made.length !== 1) report.problem(`story ${story} made ${made.length} prompts`);
    const executed = entries.filter((entry) => String(entry['arguments']).includes(`"${name}"`));
    if (executed.length !== 1 || executed[0]!['success'] !== true) {
      report.problem(`story ${story} has ${executed.length} executed calls in the audit log`);
    }
    const documentId = String(byName.get(fileOf(story))?.[0]?._id);
    const own = turns.filter((turn) => String(turn['document_id']) === documentId);
    if (own.length !== 1) report.problem(`story ${story} has ${own.length} turns`);
  }
}
