import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { findPostgres } from "./test/postgres/cluster.ts";

// The workers are forked and take their environment from here. A test that forgets to pass its
// clock in must not pass in one time zone and fail in another, nor see the developer's own books.
process.env.TZ = "UTC";
const postgres = process.env.ACCT_TEST_POSTGRES ?? findPostgres();
for (const name of Object.keys(process.env)) {
  if (name === "ACCT_TEST_POSTGRES") continue;
  if (name === "FORCE_COLOR" || name.startsWith("ACCT_")) delete process.env[name];
}
if (postgres === undefined) {
  process.stdout.write(
    "left out, because PostgreSQL is not installed and ACCT_TEST_POSTGRES names no server: the " +
      "service on PostgreSQL; the store is tested on PGlite instead\n",
  );
}

const service = [
  "test/service/*.test.ts",
  "test/document/*.test.ts",
  "test/service/webhooks/*.test.ts",
];
/**
 * What calls the code and leaves the process as it found it. These files share the modules that a
 * worker has loaded, which halves the time they take.
 */
const inProcess = [
  ...service,
  "test/{wire,ledger,resources,platform,store}/**/*.test.ts",
  "test/service/**/*.test.ts",
];

/** What asks no service that is made for the run: neither a port nor a server would change it. */
const apart = [
  "test/service/{book,demo,tenants}.test.ts",
  "test/service/webhooks/addresses.test.ts",
  "test/document/coverage.test.ts",
];
/** Command lines and calls of the client that leave the process as they found it, likewise. */
const commands = [
  "test/client/{client,condition,doubt,http,trace}.test.ts",
  "test/cli/{bank,commands,journal,main,manual-entries,masters,orders,target}.test.ts",
  "test/cli/{names,once,repeating,reports,typed,wizard}.test.ts",
  "test/cli/{export,import,render,values}/!(killed|screen).test.ts",
];

/** Those that take longest, most of it with programs that they have started. */
const longest = [
  ...["readme", "hledger", "browser/sign-in", "cli/auth-served", "cli/chaos-signed-in"],
  ...[
    "postgres/webhook",
    "postgres/killed",
    "service/across-organisations",
    "cli/serve",
    "faults/books",
  ],
];

/** Begins with those that take longest, so that no worker is left with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      longest.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    const [long, short] = [true, false].map((wanted) =>
      files.filter((file) => isLong(file) === wanted),
    );
    return [...(await super.sort(long ?? [])), ...(await super.sort(short ?? []))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "program", // starts programs, changes directory or environment
          include: ["test/**/*.test.ts"],
          exclude: [...inProcess, ...commands, "test/postgres/**"],
        },
      },
      { extends: true, test: { name: "commands", include: commands, isolate: false } },
      {
        extends: true,
        test: {
          name: "embedded",
          include: inProcess,
          isolate: false,
          env: postgres === undefined ? { STORE_WORLD: "pglite" } : {},
        },
      },
      {
        extends: true,
        test: {
          name: "port", // the same service, asked over HTTP as other programs ask it
          include: service,
          exclude: apart,
          isolate: false,
          env: { SERVICE_WORLD: "port" },
        },
      },
      ...(postgres === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: "postgres", // the store and the service on a real server
                // What is about a file, or about the plans of SQLite, is not about a server.
                exclude: ["test/store/{file,list-plans}.test.ts", ...apart],
                include: ["test/store/*.test.ts", "test/postgres/*.test.ts", ...service],
                isolate: false,
                env: { SERVICE_WORLD: "postgres", STORE_WORLD: "postgres" },
                globalSetup: "test/postgres/setup.ts",
                setupFiles: "test/postgres/recorder.ts",
              },
            },
          ]),
    ],
    pool: "forks", // a test may change directory or environment, which a thread shares
    // One more than there are cores: many tests wait for programs that they have started.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    testTimeout: 60_000, // tests spawn the built program, on machines that are busy
    hookTimeout: 60_000,
    env: { NO_COLOR: "1", LC_ALL: "C.UTF-8" },
  },
});
