import { z } from 'zod';
import type { LlmMessage } from '../../llm/llm-client.ts';
import { undefinedOnDomainError } from '../../tool/undefined-on-domain-error.ts';
import type { DocumentAgentServices, PageImage } from './services.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'documents'>;

const fraction = z.number().min(0).max(1);

/** A part of a page in the arguments of a call. */
export const pageRegion = z.strictObject({ x0: fraction, y0: fraction, x1: fraction, y1: fraction });

/** A page in the result of `view_page`. The image is rendered again for each request and never stored. */
const shownPage = z.object({ page_num: z.number().int(), region: pageRegion.optional(), shown: z.literal(true) });

/** Maximum number of images in a request. Old ones are dropped in groups of half this number, so that the cached prefix rarely changes. */
const maxImages = 8;

const blindNote = 'You cannot see images, so you do not see this page. get_ocr_text reads its text.';
const oldNote = 'The image is not attached any more, because newer ones are. Call view_page again to see this page.';
const goneNote = 'The page cannot be drawn any more.';

/**
 * Adds the images of viewed pages to the history. The same page has the same bytes, so that endpoints can cache it. A result
 * whose image is not in the request says so: a model that believes that it sees a page describes one that it does not see.
 */
export async function withPageImages(
  services: Services,
  history: readonly LlmMessage[],
  canSee = true,
): Promise<readonly LlmMessage[]> {
  const views = new Set(
    history.flatMap((message) =>
      message.role === 'assistant'
        ? (message.toolCalls ?? []).flatMap(({ id, name }) => (name === 'view_page' ? [id] : []))
        : [],
    ),
  );
  const named = history.flatMap((message, at) => {
    const shown = message.role === 'tool' && views.has(message.callId) ? pageShownIn(message.content) : undefined;
    return shown === undefined ? [] : [{ at, shown }];
  });
  if (named.length === 0) return history;
  const half = maxImages / 2;
  const omitted = Math.max(0, Math.ceil((named.length - maxImages) / half) * half);
  const sent = [...history];
  for (const [index, { at, shown }] of named.entries()) {
    const message = history[at];
    if (message?.role !== 'tool') continue;
    const image = canSee && index >= omitted ? await imageOf(services, shown) : undefined;
    const note = !canSee ? blindNote : index < omitted ? oldNote : goneNote;
    const content = JSON.stringify({ ...shown, shown: false, note });
    sent[at] = image === undefined ? { ...message, content } : { ...message, images: [image.url] };
  }
  return sent;
}

/**
 * The image for a result of `view_page`, rendered anew. Undefined for other results, and if the document was deleted.
 *
 * @param content the result as JSON text, as it is in the history
 *
 * @example
 * import { imageOfResult, type DocumentAgentServices } from '@docwright/agent-core';
 *
 * declare const services: DocumentAgentServices;
 * const image = await imageOfResult(services, '{"page_num":2,"shown":true}');
 * image?.url; // 'data:image/png;base64,…'
 */
export async function imageOfResult(services: Services, content: string): Promise<PageImage | undefined> {
  const shown = pageShownIn(content);
  return shown && (await imageOf(services, shown));
}

async function imageOf({ document, documents }: Services, { page_num, region }: z.infer<typeof shownPage>) {
  // The turn can have deleted its own document.
  return await undefinedOnDomainError(() => documents.image?.(document.id, page_num, region));
}

function pageShownIn(content: string): z.infer<typeof shownPage> | undefined {
  try {
    return shownPage.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}
