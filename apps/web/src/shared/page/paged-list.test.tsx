import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PagedList } from './paged-list.tsx';

it('names the records that the server left out because they are damaged, also if no other is there', () => {
  const data = { total_count: 1, unreadable: ['6b01708ad8a483d59a2b3b5a'] };
  render(
    <PagedList
      noun="schedules"
      items={[]}
      query={{ data, error: null, refetch: async () => undefined }}
      columns={[]}
      keyOf={() => ''}
      empty="No schedules yet."
      onPage={() => {}}
      onShowAll={() => {}}
    />,
  );
  expect(screen.getByText(/left out: 6b01708ad8a483d59a2b3b5a/u)).toBeTruthy();
});
