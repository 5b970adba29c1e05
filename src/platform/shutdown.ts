/** Shutdown of programs that run until they are stopped. */

/** Exit code that shells report for a program ended by SIGTERM. */
const terminatedCode = 143;

/** Returns an abort signal for the first termination signal; a second one exits at once. */
export function shutdownSignal(interrupted: AbortSignal) {
  let isEnding = false;
  let endWait: () => void = () => undefined;
  const signalled = new Promise<void>((resolve) => {
    endWait = () => {
      isEnding = true;
      resolve();
    };
  });
  const terminated = () => {
    if (isEnding) process.exit(terminatedCode);
    endWait();
  };
  process.on("SIGTERM", terminated);
  interrupted.addEventListener("abort", endWait, { once: true });
  if (interrupted.aborted) endWait();
  return {
    come: signalled,
    stopListening: () => {
      process.removeListener("SIGTERM", terminated);
      interrupted.removeEventListener("abort", endWait);
    },
  };
}
