import { DomainError } from '@docwright/contract';
import { z } from 'zod';
import type { LlmMessage } from '../../llm/llm-client.ts';
import type { DocumentAgentServices, PageImage } from './services.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'documents'>;

const fraction = z.number().min(0).max(1);

/** A part of a page, as a model names it. */
export const pageRegion = z.strictObject({ x0: fraction, y0: fraction, x1: fraction, y1: fraction });

/** What the result of `view_page` names; the image itself is drawn anew for each request and never stored. */
const shownPage = z.object({ page_num: z.number().int(), region: pageRegion.optional(), shown: z.literal(true) });

/** Of one request. At more, the oldest are left out, half of them at once, so that what is sent changes rarely. */
const maxImages = 8;

/** The history with the images that its results name. The same page is the same bytes, so that the beginning stays. */
export async function withPageImages(
  services: Services,
  history: readonly LlmMessage[],
): Promise<readonly LlmMessage[]> {
  const views = new Set(
    history.flatMap((message) =>
      message.role === 'assistant'
        ? (message.toolCalls ?? []).flatMap(({ id, name }) => (name === 'view_page' ? [id] : []))
        : [],
    ),
  );
  const named = history.flatMap((message, at) => {
    const shown = message.role === 'tool' && views.has(message.callId) ? shownIn(message.content) : undefined;
    return shown === undefined ? [] : [{ at, shown }];
  });
  if (named.length === 0) return history;
  const half = maxImages / 2;
  const omitted = Math.max(0, Math.ceil((named.length - maxImages) / half) * half);
  const sent = [...history];
  for (const { at, shown } of named.slice(omitted)) {
    const message = history[at];
    const image = await imageOf(services, shown);
    if (message?.role === 'tool' && image !== undefined) sent[at] = { ...message, images: [image.url] };
  }
  return sent;
}

/** The image that the text of a result of `view_page` names; undefined for any other result. */
export async function imageOfResult(services: Services, content: string): Promise<PageImage | undefined> {
  const shown = shownIn(content);
  return shown && (await imageOf(services, shown));
}

async function imageOf({ document, documents }: Services, { page_num, region }: z.infer<typeof shownPage>) {
  return await documents.image?.(document.id, page_num, region).catch((error: unknown) => {
    // The turn may have deleted its own document.
    if (error instanceof DomainError) return undefined;
    throw error;
  });
}

function shownIn(content: string): z.infer<typeof shownPage> | undefined {
  try {
    return shownPage.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}
