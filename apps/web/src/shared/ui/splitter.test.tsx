import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { Splitter } from './splitter.tsx';

function Panels() {
  const [width, setWidth] = useState(400);
  return <Splitter label="Width of the panel" width={width} minimum={300} maximum={600} onResize={setWidth} />;
}

it('is a separator with its values, and keys resize the panel within its limits', async () => {
  render(<Panels />);
  const separator = screen.getByRole('separator', { name: 'Width of the panel' });
  const values = () => ['valuemin', 'valuenow', 'valuemax'].map((name) => separator.getAttribute(`aria-${name}`));
  expect(values()).toEqual(['300', '400', '600']);
  expect(separator.getAttribute('aria-orientation')).toBe('vertical');
  const user = userEvent.setup();
  await user.tab();
  expect(document.activeElement).toBe(separator);
  for (const [keys, width] of [
    ['{ArrowRight}', '416'],
    ['{ArrowLeft}{ArrowLeft}', '384'],
    ['{PageUp}', '480'],
    ['{PageDown}{PageDown}', '300'],
    ['{End}', '600'],
    ['{ArrowRight}', '600'],
    ['{Home}', '300'],
    ['{Control>}{ArrowRight}{/Control}', '300'],
  ] as const) {
    await user.keyboard(keys);
    expect(values()[1]).toBe(width);
  }
});
