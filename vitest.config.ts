import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// The workers are forked and take their environment from here. A test that forgets to pass its
// clock in must not pass in one time zone and fail in another, nor see the developer's own books.
process.env.TZ = "UTC";
for (const name of Object.keys(process.env)) {
  if (name === "FORCE_COLOR" || name.startsWith("ACCT_")) delete process.env[name];
}

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "embedded", include: ["test/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "port", // the same service, asked over HTTP as other programs ask it
          include: ["test/service/*.test.ts", "test/document/*.test.ts"],
          env: { SERVICE_WORLD: "port" },
        },
      },
    ],
    pool: "forks", // a test may change directory or environment, which a thread shares
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 20_000, // tests spawn the built program, on machines that are busy
    hookTimeout: 60_000,
    env: { NO_COLOR: "1", LC_ALL: "C.UTF-8" },
  },
});
