import { readMail } from '@docwright/documents';
import { createFairPlaces } from '../../../platform/places/fair-places.ts';

export type ReadMail = typeof readMail;

/** As many as the threads that read mails. A mail can take 30 seconds, so an organization has one of them. */
const places = { inAll: 2, ofParty: 1 };

/** Reads mails for sources, so that those of one organization hold up no other. */
export function createMailReader(read: ReadMail = readMail): (organizationId: string) => ReadMail {
  const enter = createFairPlaces(places);
  return (organizationId) => async (request) => {
    const leave = await enter(organizationId);
    try {
      return await read(request);
    } finally {
      leave();
    }
  };
}
