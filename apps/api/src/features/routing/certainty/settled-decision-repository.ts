import mongoose, { type Connection } from 'mongoose';
import { documentModel } from '../../documents/index.ts';
import type { SettledDecision } from './calibration.ts';
import type { EvidenceKind } from './evidence.ts';

/** What users of an organization decided about routes, newest first. */
interface SettledDecisions {
  /** The decisions that the product had made, or had candidates for. */
  of(kind: EvidenceKind): SettledDecision[];
  /** The last documents that a user sent to a route. */
  documentsOf(routeId: string): string[];
}

export type ReadSettledDecisions = (organizationId: string) => Promise<SettledDecisions>;

const maxDecisions = 1_000;
const maxDocuments = 20;

export function createSettledDecisions(connection: Connection): ReadSettledDecisions {
  const model = documentModel(connection);
  return async (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const records = await model
      .find({ organization_id, 'routing.by': 'user', deleted_at: null }, { routing: 1, routing_judged: 1 })
      .sort({ upload_date: -1, _id: -1 })
      .limit(maxDecisions)
      .lean();
    return {
      of: (kind) =>
        records.flatMap(({ routing, routing_judged: judged }) =>
          judged?.kind === kind
            ? [{ score: judged.score, isRight: routing?.route_ids.includes(judged.route_id) === true }]
            : [],
        ),
      documentsOf: (routeId) =>
        records
          .filter(({ routing }) => routing?.route_ids.includes(routeId))
          .slice(0, maxDocuments)
          .map(({ _id }) => _id.toHexString()),
    };
  };
}
