/** The end of a program that runs until it is told to stop. */

/** What a shell says of a program that SIGTERM ended. */
const terminatedCode = 143;

/** The first signal to end; another one after it ends the program on the spot. */
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
