/** A third of the time after which a run that says nothing counts as dead. */
const renewEveryMs = 20_000;

/** Says that a run is alive for as long as it is; `renew` may fail, since the next one comes soon. */
export async function keepRunAlive<Result>(renew: () => Promise<void>, run: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(() => void renew().catch(() => undefined), renewEveryMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
