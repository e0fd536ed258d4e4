import { DomainError } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { pageRegion } from '../../context/page-images.ts';
import type { DocumentAgentServices } from '../../context/services.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'documents' | 'models'>;

export const viewPage = defineTool({
  name: 'view_page',
  description:
    'Shows you a page of this document as an image. With region, shows only that part of the page, enlarged. Use it where the text is unclear.',
  effect: 'read',
  needsSight: true,
  worksOnDocument: true,
  parameters: z.object({
    page_num: z.number().int().min(1).describe('The page, counted from 1.'),
    region: pageRegion
      .refine(({ x0, y0, x1, y1 }) => x1 - x0 >= minRegionSize && y1 - y0 >= minRegionSize, {
        message: 'x1 and y1 have to be larger than x0 and y0 by .02 at least',
      })
      .optional()
      .describe(
        'A part of the page, in fractions from 0 to 1 of its width and height, origin top left. Default: the whole page.',
      ),
  }),
  summarize: ({ page_num, region }) =>
    region === undefined ? `Look at page ${page_num}` : `Look closely at page ${page_num}`,
  execute: async (
    { services: { document, documents, models }, model }: ToolContext<Services>,
    { page_num, region },
  ) => {
    if (documents.image === undefined) {
      throw new DomainError('conflict', 'no_page_image', 'Pages cannot be shown here. get_ocr_text reads their text.');
    }
    // A model can call a tool that it was not offered. Without this, it would describe a page that it has not seen.
    if (model === undefined || (await models.canSee?.(model)) !== true) {
      throw new DomainError(
        'conflict',
        'model_cannot_see',
        'You cannot see images, so the page was not shown. get_ocr_text reads its text.',
      );
    }
    const { width, height } = await documents.image(document.id, page_num, region);
    return { page_num, ...(region && { region }), shown: true, width, height };
  },
});

const minRegionSize = 0.02;
