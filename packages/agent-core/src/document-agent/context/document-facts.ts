import type { Document } from '@docwright/contract';
import { unreadLines } from './unread-lines.ts';

/** What the model should know of a document that its text does not say: what was not read, and what is written for machines. */
export function documentFacts({ unread = [], machine_data = [] }: Pick<Document, 'unread' | 'machine_data'>): string[] {
  const kinds = [...Map.groupBy(machine_data, ({ kind }) => kind)].map(([kind, all]) => `${all.length} ${kind}`);
  return [
    ...(unread.length > 0
      ? [
          `Not read of this document: ${unreadLines(unread).join('; ')}. Say so where an answer depends on it; what the text lacks can stand there.`,
        ]
      : []),
    ...(kinds.length > 0
      ? [
          `Written for machines in this document: ${kinds.join(', ')}. get_machine_data reads it. After a schema for such documents, propose update_prompt { machine_map }, so that each extraction is compared with it.`,
        ]
      : []),
  ];
}
