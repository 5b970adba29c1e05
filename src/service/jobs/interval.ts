/** Does something at once and then now and again, never twice at a time. */
export function everyInterval(ms: number, work: () => Promise<void>): { stop(): Promise<void> } {
  let underWay: Promise<void> | undefined;
  const run = () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
  };
  run();
  const timer = setInterval(run, ms).unref();
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
