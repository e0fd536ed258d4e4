import { expect, it } from 'vitest';
import { createRouteBody, route } from '../runs/routes.ts';
import { savedView, savedViewBody } from '../extractions/results.ts';

const names = ['Invoices\u200b', 'Invoices\nof May', 'In\u00advoices'];

it.each([
  ['route', route, createRouteBody],
  ['saved view', savedView, savedViewBody],
])('a %s that was stored with a name which requests no longer may have is still answered', (_what, answer, body) => {
  for (const name of names) {
    expect(answer.shape.name.safeEncode(name)).toEqual({ success: true, data: name });
    expect(body.shape.name.safeParse(name).success).toBe(false);
  }
});
