import { expect, it } from 'vitest';
import { isGarbled } from './garbled-word.ts';

const at = { x0: 0, y0: 0, x1: 10, y1: 10, direction: 'right' } as const;

it.each(['A\ufffdB', 'ǡǼǱǺ', 'ǓǯǯǱǿǿ', '«À¢Ã¡Á¢', '´¿¢Ã°£¢'])('takes %s for letters of a wrong table', (text) => {
  expect(isGarbled({ text, ...at })).toBe(true);
});

it.each(['\ufffd12', 'Žǆǉ', 'Ɓɔɓa', 'ÀÉÈÊÇ', '±°²³', '«été»', '¿Qué', '½', '10½%'])('believes %s', (text) => {
  expect(isGarbled({ text, ...at })).toBe(false);
});
