import { expect, it, vi } from 'vitest';
import { callNative, closeNativeGate, createNativeGate } from './native-gate.ts';

it('ends a thread at once that is not inside of native code, and lets it call no more', async () => {
  const gate = createNativeGate();
  expect(await callNative(async () => await Promise.resolve('read'), gate)).toBe('read');
  const end = vi.fn();
  closeNativeGate(gate, end);
  expect(end).toHaveBeenCalledOnce();
  const call = vi.fn();
  void callNative(call, gate);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(call).not.toHaveBeenCalled();
});

it('waits for the end of a native call before it ends the thread, also of one that fails', async () => {
  for (const fails of [false, true]) {
    const gate = createNativeGate();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const second = vi.fn();
    const called = callNative(() => promise, gate).catch(() => 'failed');
    // A thread that calls again at once must not keep the gate open.
    void called.then(() => void callNative(second, gate));
    const end = vi.fn();
    closeNativeGate(gate, end);
    await new Promise((later) => setTimeout(later, 60));
    expect(end).not.toHaveBeenCalled();
    if (fails) reject(new Error('no memory'));
    else resolve('read');
    expect(await called).toBe(fails ? 'failed' : 'read');
    await vi.waitFor(() => expect(end).toHaveBeenCalledOnce());
    expect(second).not.toHaveBeenCalled();
  }
});
