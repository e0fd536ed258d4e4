import type { Box } from '../page/box.ts';
import type { Page } from '../page/page.ts';
import { listUnread, type UnreadPart } from '../page/unread.ts';
import type { PageCodes } from './codes/read-codes.ts';
import { readMrz } from './mrz.ts';

/** A code whose squares were mistaken for letters is read if it covers this share of the part. */
const minReadShare = 0.4;

/** A read page with its machine-readable data, and with the codes that could not be read. */
export function withMachineData(page: Page, codes: PageCodes = { machineData: [], unread: [] }): Page {
  const machineData = [...codes.machineData, ...readMrz(page.words)];
  const parts = listUnread([...(page.unread ?? []), ...codes.unread]).filter(
    (part) => !machineData.some(({ box }) => box && isReadAs(part, box)),
  );
  const { unread: _, ...rest } = page;
  return {
    ...rest,
    ...(machineData.length > 0 ? { machine_data: machineData } : {}),
    ...(parts.length > 0 ? { unread: parts } : {}),
  };
}

function isReadAs({ kind, box }: UnreadPart, code: Box): boolean {
  if (kind !== 'picture' || !box) return false;
  const width = Math.min(box.x1, code.x1) - Math.max(box.x0, code.x0);
  const height = Math.min(box.y1, code.y1) - Math.max(box.y0, code.y0);
  return width > 0 && height > 0 && width * height > (box.x1 - box.x0) * (box.y1 - box.y0) * minReadShare;
}
