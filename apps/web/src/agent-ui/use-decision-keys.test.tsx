import { cleanup, fireEvent, render } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { useDecisionKeys } from './use-decision-keys.ts';

afterEach(cleanup);

it('decides one card for one press of a key, however long it is held down', () => {
  const approved: string[] = [];
  function Cards() {
    const [pending, setPending] = useState(['one', 'two', 'three']);
    const decide = (id: string) => {
      approved.push(id);
      setPending((before) => before.filter((each) => each !== id));
    };
    useDecisionKeys({ enabled: true, pending, onApprove: decide, onReject: decide });
    return null;
  }
  render(<Cards />);
  fireEvent.keyDown(document.body, { key: 'y' });
  fireEvent.keyDown(document.body, { key: 'y', repeat: true });
  fireEvent.keyDown(document.body, { key: 'n', repeat: true });
  expect(approved).toEqual(['one']);
  fireEvent.keyDown(document.body, { key: 'y' });
  expect(approved).toEqual(['one', 'two']);
});
