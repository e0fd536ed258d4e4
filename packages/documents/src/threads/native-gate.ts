import { workerData } from 'node:worker_threads';

/**
 * Whether a thread is inside of native code. A thread that is ended there ends the whole process: its library throws an error that no
 * code can catch. So the thread passes a gate before each call, and the gate is closed while it is outside before the thread is ended.
 */
export type NativeGate = Int32Array<SharedArrayBuffer>;

/** The places in the gate: 1 while the thread is inside, and 1 once it is closed. */
const inside = 0;
const closed = 1;
const retryMilliseconds = 20;

/** A gate for a thread, whose buffer goes to the thread as `workerData.nativeGate`. */
export function createNativeGate(): NativeGate {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

const data = workerData as { nativeGate?: SharedArrayBuffer } | null;
const ownGate: NativeGate = data?.nativeGate ? new Int32Array(data.nativeGate) : createNativeGate();

/** Runs one call of native code; calls follow each other. Once the gate is closed it never settles: the thread is about to end. */
export async function callNative<Result>(call: () => Promise<Result>, gate = ownGate): Promise<Result> {
  Atomics.store(gate, inside, 1);
  try {
    if (Atomics.load(gate, closed) === 0) return await call();
  } finally {
    Atomics.store(gate, inside, 0);
  }
  return await new Promise<Result>(() => undefined);
}

/** Closes the gate and calls `end`, at once or when the thread has left the native code. */
export function closeNativeGate(gate: NativeGate, end: () => void): void {
  Atomics.store(gate, closed, 1);
  if (Atomics.load(gate, inside) === 1) setTimeout(() => closeNativeGate(gate, end), retryMilliseconds);
  else end();
}
