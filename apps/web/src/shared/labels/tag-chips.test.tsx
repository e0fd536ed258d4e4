import type { Tag } from '@docwright/contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { TagChips } from './tag-chips.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('shows the first of many tags and says how many more a document has', async () => {
  const tags = Array.from(
    { length: 100 },
    (_, at) => ({ tag_id: `t${at}`, name: `Tag ${at}`, color: '#000000' }) as Tag,
  );
  vi.stubGlobal('fetch', async () => Response.json({ tags, total_count: tags.length, skip: 0 }));
  renderPage({ '/': <TagChips tagIds={tags.map(({ tag_id }) => tag_id)} /> });
  await screen.findByText('Tag 0');
  expect(screen.getAllByRole('listitem')).toHaveLength(9);
  expect(screen.getByRole('list', { name: 'Tags' }).textContent).toMatch(/Tag 7and 92 more tags$/u);
});
