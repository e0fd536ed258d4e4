import { describe, expect, it } from 'vitest';
import { timingBody, timingFields } from './timing.ts';
import { timingLabel } from './timing-labels.ts';

const timezone = 'Europe/Berlin';

describe('when a schedule is due', () => {
  it.each([
    [{ cron: '30 7 * * 1-5' }, 'every weekday at 7:30 AM, Europe/Berlin'],
    [{ cron: '5 22 * * *' }, 'every day at 10:05 PM, Europe/Berlin'],
    [{ cron: '0 6 * * 7' }, 'every Sunday at 6:00 AM, Europe/Berlin'],
    [{ cron: '0 6 22 * *' }, 'on the 22nd of every month at 6:00 AM, Europe/Berlin'],
    [{ cron: '0 6 13 * *' }, 'on the 13th of every month at 6:00 AM, Europe/Berlin'],
    [{ cron: '*/15 9-17 * * *' }, 'every 15 minutes, between 09:00 AM and 05:59 PM, Europe/Berlin'],
    [{ every: '1h' }, 'every hour'],
    [{ every: '15m' }, 'every 15 minutes'],
    [{ cron: 'nonsense' }, 'nonsense, Europe/Berlin'],
  ])('describes %j as "%s"', (timing, words) => {
    expect(timingLabel({ ...timing, timezone }).replaceAll('\u202F', ' ')).toBe(words);
  });

  it.each([
    { cron: '30 7 * * 1-5', timezone },
    { cron: '0 0 * * *', timezone },
    { cron: '0 6 * * 3', timezone },
    { cron: '0 6 31 * *', timezone },
    { cron: '0 6 1 * 1', timezone },
    { cron: '*/5 * * * *', timezone },
  ])('keeps $cron when it goes through the form', (timing) => {
    expect(timingBody(timingFields(timing))).toEqual(timing);
  });

  it('sends no time zone with an interval', () => {
    expect(timingBody(timingFields({ every: '6h', timezone }))).toEqual({ every: '6h' });
  });
});
