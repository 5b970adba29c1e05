/** Shutdown of programs that run until they are stopped. */

/** Exit code that shells report for a program ended by SIGTERM. */
const terminatedCode = 143;

/** Returns an abort signal for the first termination signal; a second one exits at once. */
export function shutdownSignal(interrupted: AbortSignal) {
  let isEnding = false;
  let end: () => void = () => undefined;
  const come = new Promise<void>((resolve) => {
    end = () => {
      isEnding = true;
      resolve();
    };
  });
  const terminated = () => {
    if (isEnding) process.exit(terminatedCode);
    end();
  };
  process.on("SIGTERM", terminated);
  interrupted.addEventListener("abort", end, { once: true });
  if (interrupted.aborted) end();
  return {
    come,
    stopListening: () => {
      process.removeListener("SIGTERM", terminated);
      interrupted.removeEventListener("abort", end);
    },
  };
}
