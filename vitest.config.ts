import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { findPostgres } from "./test/postgres/cluster.ts";
import { SummaryReporter } from "./test/support/reporter.ts";
import { makeRunFolder } from "./test/support/run-folder.ts";

/**
 * `npm test` runs the business suites on an embedded book, the ledger and the command line, with a
 * part of the long tables and few runs of properties (`test/support/properties.ts`).
 * `npm run test:all` (mode `all`) adds the files named `*.slow.test.ts`, which start servers, browsers,
 * shells and other programs or kill them, all rows and runs, and the same service over a port and on
 * PostgreSQL.
 */

// The workers are forked and take their environment from here. A test that forgets to pass its
// clock in must not pass in one time zone and fail in another, nor see the developer's own books.
process.env.TZ = "UTC";
const postgres = process.env.ACCT_TEST_POSTGRES ?? findPostgres();
for (const name of Object.keys(process.env)) {
  if (name.startsWith("ACCT_TEST_")) continue;
  if (name === "FORCE_COLOR" || name.startsWith("ACCT_")) delete process.env[name];
}

/** Whether no file or test is named that alone is to run. */
const isWholeRun = process.argv.slice(2).every((word) => /^(run|all|--mode(=all)?)$/.test(word));

const slow = "test/**/*.slow.test.ts";

/** Call the code and leave the process as they found it: files share the modules of a worker. */
const inProcess = [
  "test/web/**/*.test.ts",
  "test/{wire,ledger,resources,platform,store,audit-files,bank-files,payment-files,e-invoices,output}/**/*.test.ts",
  "test/{service,document}/**/*.test.ts",
];
/** Command lines and calls of the client that leave the process as they found it, likewise. */
const commands = [
  "test/cli/*.test.ts",
  "test/cli/{connection,examples,export,import,prompts,render,sign-in,values}/!(screen).test.ts",
  "test/cli/commands/!(attachments|backup|pdf|seal).test.ts",
  "test/client/**/!(lock).test.ts",
];

/** What a port adds: addresses, headers, bodies as they come, formats, lists in pages, files, rights. */
const overPort = [
  "test/service/hostile.test.ts",
  "test/service/audit-files/*.test.ts",
  "test/service/records/attachments.test.ts",
  "test/service/pdf/printed.test.ts",
  "test/service/plans/*.test.ts",
  "test/service/operations/{log,undo,undo-approval,undo-bulk}.test.ts",
  "test/service/request/{asked-again,lists,permissions,requests}.test.ts",
  "test/document/{endpoints,rules}.test.ts",
];
/** What a server adds: types and order of values, errors, locks, many organisations, statements. */
const onPostgres = [
  "test/store/**/*.test.ts",
  "test/postgres/*.test.ts",
  "test/service/isolation/*.test.ts",
  "test/service/{fuzz,hostile,property}.test.ts",
  "test/service/audit/{directory,entries}.test.ts",
  "test/service/{assets,bank,erasure,explain}/*.test.ts",
  "test/service/documents/invoices.test.ts",
  "test/service/e-invoices/receive.test.ts",
  "test/service/records/{attachments,journals}.test.ts",
  "test/service/jobs/repeating-invoices.test.ts",
  "test/service/payments/payments.test.ts",
  "test/service/{closing,manual-journals,opening,operations,overview,plans,statements}/*.test.ts",
  "test/service/reports/{cash-flow,ledger,management,reports,reports-property}.test.ts",
  "test/service/reports/contacts/{statement,traded}.test.ts",
  "test/service/reports/tax/tax-reconciliation.test.ts",
  "test/service/request/lists.test.ts",
  "test/service/verification/verification.test.ts",
  "test/document/fields.test.ts",
];

export default defineConfig(({ mode }) => {
  const isAll = mode === "all";
  makeRunFolder(isAll ? "disk" : "memory");
  if (isAll && postgres === undefined) {
    process.stdout.write(
      "left out, because PostgreSQL is not installed and ACCT_TEST_POSTGRES names no server: the " +
        "service on PostgreSQL; the store is tested on PGlite instead\n",
    );
  }
  // What a project takes over from below is read without the mode, so that what goes by it is set here.
  const project = (name: string, test: Readonly<Record<string, unknown>>) => ({
    extends: true as const,
    test: {
      name,
      ...test,
      // Tests spawn the built program, on machines that are busy, and try more in the long run.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      env: { TEST_RUNS: isAll ? "all" : "few", ...(test.env as object) },
    },
  });
  const worlds = [
    project("slow", {
      include: [slow],
      exclude: ["test/postgres/**"],
      env: postgres === undefined ? { STORE_WORLD: "pglite" } : {},
    }),
    project("port", { include: overPort, isolate: false, env: { SERVICE_WORLD: "port" } }),
  ];
  const server = project("postgres", {
    include: onPostgres,
    // About a file, or about the plans of SQLite.
    exclude: ["test/store/{dialects/file,queries/list-plans}.slow.test.ts"],
    isolate: false,
    env: { SERVICE_WORLD: "postgres", STORE_WORLD: "postgres" },
    globalSetup: "test/postgres/setup.ts",
    setupFiles: "test/postgres/recorder.ts",
  });
  return {
    test: {
      projects: [
        // Slow files first, so that no worker is left with one of them at the end.
        ...(isAll ? worlds : []),
        ...(isAll && postgres !== undefined ? [server] : []),
        project("program", {
          // Start programs, change directory or environment.
          include: ["test/**/*.test.ts"],
          exclude: [...inProcess, ...commands, slow, "test/postgres/**"],
        }),
        project("commands", { include: commands, exclude: [slow], isolate: false }),
        project("embedded", {
          include: inProcess,
          exclude: [slow],
          isolate: false,
          env: postgres === undefined && isAll ? { STORE_WORLD: "pglite" } : {},
        }),
      ],
      pool: "forks", // a test may change directory or environment, which a thread shares
      // One more than there are cores: many tests wait for programs that they have started.
      maxWorkers: Math.max(2, availableParallelism()) + 1,
      reporters: [new SummaryReporter(!isAll && isWholeRun)],
      env: { NO_COLOR: "1", LC_ALL: "C.UTF-8" },
    },
  };
});
