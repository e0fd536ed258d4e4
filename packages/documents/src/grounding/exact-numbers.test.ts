import { describe, expect, it } from 'vitest';
import { pageOf } from '../testing/grid-page.ts';
import { groundAtOnce } from '../testing/ground-at-once.ts';

describe('numbers of many digits', () => {
  const page = pageOf('Account 12345678901234567890\n\nOther 12345678901234567891\n\nSum 1 234 567 890 123 456 789,25');

  it('have the place of all of their digits', () => {
    const raw = { account: '12345678901234567891' };
    const { account } = groundAtOnce({ account: Number(raw.account) }, [page], {}, raw);
    expect(account).toMatchObject({ quote: raw.account, match: 'exact', raw: raw.account });
    expect(account).not.toHaveProperty('places');
  });

  it('have no place if one digit differs', () => {
    const raw = { account: '12345678901234567892' };
    const found = groundAtOnce({ account: Number(raw.account) }, [page], {}, raw);
    expect(found['account']).toMatchObject({ match: 'none', raw: raw.account });
  });

  it('have a place in another notation', () => {
    const raw = { sum: '1234567890123456789.250' };
    const found = groundAtOnce({ sum: Number(raw.sum) }, [page], {}, raw);
    expect(found['sum']).toMatchObject({ match: 'normalized', quote: '1 234 567 890 123 456 789,25' });
  });

  it('as a share have the place of the percentage with the same digits', () => {
    const taxed = pageOf('Tax 7.25% of all');
    expect(groundAtOnce({ rate: 0.0725 }, [taxed])['rate']).toMatchObject({ quote: '7.25%' });
    expect(groundAtOnce({ rate: 0.0726 }, [taxed])['rate']).toMatchObject({ match: 'none' });
  });
});
