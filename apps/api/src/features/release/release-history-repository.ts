import type { ReleaseStatus, ReleaseSuspect } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../platform/database/page.ts';
import { extractionModel, releaseEventModel, type ExtractionRecord } from '../extractions/index.ts';
import { evidenceModel } from './policies/policy-model.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

/** What was released, withdrawn and audited in one organization. */
export type ReleaseHistory = ReturnType<ReturnType<typeof createReleaseHistories>>;

const dayMs = 24 * 60 * 60 * 1000;

export function createReleaseHistories(connection: Connection) {
  const events = releaseEventModel(connection);
  const evidence = evidenceModel(connection);
  const extractions = extractionModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      /** Each of the last days with an event, the oldest first. */
      async days(promptId: string, count: number): Promise<ReleaseStatus['last_30_days']> {
        const since = new Date(Date.now() - count * dayMs);
        const [changes, audits] = await Promise.all([
          events.aggregate<{ _id: { day: string; type: string }; count: number }>([
            { $match: { organization_id, prompt_id: promptId, at: { $gte: since } } },
            { $group: { _id: { day: '$day', type: '$type' }, count: { $sum: 1 } } },
          ]),
          evidence.aggregate<{ _id: string; audited: number; wrong: number }>([
            { $match: { organization_id, prompt_id: promptId, audited_at: { $gte: since } } },
            {
              $group: {
                _id: '$audited_day',
                audited: { $sum: 1 },
                wrong: { $sum: { $cond: [{ $gt: ['$wrong_values', 0] }, 1, 0] } },
              },
            },
          ]),
        ]);
        const days = [...new Set([...changes.map(({ _id }) => _id.day), ...audits.map(({ _id }) => _id)])].sort();
        const numberOf = (day: string, type: string) =>
          changes.find(({ _id }) => _id.day === day && _id.type === type)?.count ?? 0;
        return days.map((day) => {
          const { audited = 0, wrong = 0 } = audits.find(({ _id }) => _id === day) ?? {};
          return {
            day,
            released: numberOf(day, 'result.released'),
            withdrawn: numberOf(day, 'result.withdrawn'),
            audited,
            wrong,
          };
        });
      },
      /** Results that the policy has released since `since`, and that are still released, the oldest first. */
      async releasedSince(
        promptId: string,
        since: Date,
        page: PageSelection,
      ): Promise<{ released: Omit<ReleaseSuspect, 'because'>[] } & PageEnd> {
        const filter: QueryFilter<ExtractionRecord> = {
          organization_id,
          prompt_id: promptId,
          'release.state': 'released',
          'release.by': 'policy',
          'release.released_at': { $gte: since },
        };
        const { records, end } = await readPage(extractions, filter, {
          ...page,
          sort: { 'release.released_at': 1, _id: 1 },
          projection: { document_id: 1, version: 1, release: 1 },
        });
        const released = presentEach(records, ({ document_id, version, release }) => ({
          document_id: document_id.toHexString(),
          version,
          released_at: (release?.released_at ?? since).toISOString(),
        }));
        return { released, ...end };
      },
    };
  };
}
