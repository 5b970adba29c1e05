// What is published: a few files, each loaded when something in it is needed.
//
// They are CommonJS, since a module pays 3 ms for the face of `node:fs` alone, and few, since each
// file costs some 0.5 ms to find and check: what nearly every command needs lies in one (`start`),
// the service behind an embedded book in another, and every `import()` in src that is for a rare or
// heavy thing begins a chunk of its own.
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "rolldown";

/** Another whenever the service changes, and with it what a book of this build holds. */
function build() {
  const hash = createHash("sha256");
  const sources = globSync("src/{resources,platform,wire,ledger,store,service}/**/*.ts").sort();
  for (const file of sources) hash.update(file).update(readFileSync(file));
  return hash.digest("hex").slice(0, 8);
}

/** Begun by an `import()`, and kept out of the two large files: loaded only when they are asked for. */
const late = [
  /\/src\/client\/(budget|doubt|http|retry|listening|served|staffed|trace|webhooks)\.ts$/,
  /\/src\/client\/session\//,
  /\/src\/cli\/(commands\/(?!shared\/)|import\/|export\/|completion\/|doctor\/|prompts\/|sign-in\/)/,
  /\/src\/cli\/(commands\/shared\/(alike|duplicate|record-ref|save-file)|framework\/help|connection\/(browser|new-book)|render\/(log-sink|pager|progress))\.ts$/,
  /\/src\/cli\/values\/(media-types|words)\.ts$/,
  /\/src\/service\/(auth|fault-injection|webhooks|http|limits|openapi|pdf(?!\/logo))\//,
  /\/src\/store\/(call-counts|events|webhooks|deliveries|delivery-queue)\.ts$/,
  /\/src\/service\/(books\/(?!(book|organisation|copy-book|ids)\.ts)[^/]*?|jobs\/(interval|background-jobs|rate-feed)|verification\/[^/]*|reports\/(?!index)[^/]*|online\/(?!address|mail)[^/]*)\.ts$/,
  /\/src\/store\/directory/,
  /\/src\/store\/(copy\.ts$|postgres|sqlite-file|verify)[^/]*\.ts$/,
  /\/src\/wire\/(html|sign-in|spool|webhook)\.ts$/,
  /\/src\/ledger\/reports\//,
  /\/src\/store\/schema\/(?!index)/,
  /\/src\/ledger\/regions\/(?!region\.ts$)/,
];
/** What stands on oidc-provider. */
const signIn = /\/src\/service\/auth\/sign-in\//;
/** The nouns that most command lines begin with: 7 kB, which are not worth 1.3 ms for one more file. */
const documents = /\/src\/cli\/commands\/invoice\.ts$/;
/** The service for everything but reading invoices and reports, in a file of its own. */
const writing = [
  /\/src\/service\/(pdf\/logo|books\/organisation|request\/(file-names|write|history|faults|merge)|lookups\/(chart-lookup|codes|branding|cis|currencies|rates))\.ts$/,
  /\/src\/service\/endpoints\/(?!(index|derived|endpoint|invoice)\.ts)/,
  /\/src\/service\/documents\/(?!(expand|references|stored|document-resources)\.ts)/,
  /\/src\/service\/(payments\/|manual-journals\/|jobs\/(?!interval|background|rate)|online\/address)/,
  /\/src\/store\/(branding|contact-groups|contacts|exchange-rates|inventory|online-documents|usage)\.ts$/,
  /\/src\/ledger\/(?!(money|tax|timezones|calendar|journal)\.ts|reports\/|regions\/)/,
];
const isLate = (id) => late.some((pattern) => pattern.test(id));

/**
 * commander starts other programs for commands that are programs of their own. There are none here,
 * and `node:child_process` takes 1.7 ms to load.
 */
const withoutChildProcess = {
  name: "without-child-process",
  resolveId(source, importer) {
    const isCommander = /\/node_modules\/commander\//.test(importer ?? "");
    return isCommander && source === "node:child_process" ? "\0no-child-process" : undefined;
  },
  load: (id) => (id === "\0no-child-process" ? "export default {};" : undefined),
};

/** Of two chunks that import each other one runs before the other has anything to give. */
const withoutCycles = {
  name: "without-cycles",
  generateBundle(_options, bundle) {
    const done = new Set();
    const follow = (name, above) => {
      if (above.includes(name)) {
        this.error(`Chunks import each other: ${[...above, name].join(" -> ")}`);
      }
      if (done.has(name)) return;
      done.add(name);
      for (const each of bundle[name]?.imports ?? []) follow(each, [...above, name]);
    };
    for (const name of Object.keys(bundle)) follow(name, []);
  },
};

export default defineConfig({
  input: { main: "src/cli/main.ts" },
  platform: "node",
  // Read their data, or their machine code, from beside their own files.
  external: ["pdfkit", "@napi-rs/keyring"],
  preserveEntrySignatures: "allow-extension",
  plugins: [withoutChildProcess, withoutCycles],
  // depd, which oidc-provider brings along, keeps the arity of what it wraps by eval.
  onLog: (level, log, tell) => {
    if (log.code !== "EVAL" || !/\/node_modules\/depd\//.test(log.id ?? "")) tell(level, log);
  },
  transform: { target: "node24", define: { BUILD: JSON.stringify(build()) } },
  output: {
    dir: "dist",
    format: "cjs",
    cleanDir: true,
    entryFileNames: "[name].cjs",
    chunkFileNames: (chunk) => `chunks/${chunkName(chunk)}.cjs`,
    // Smaller files start faster even where their code was kept, since the source is read all the
    // same. Names of functions and classes stay, for stack traces and error classes.
    minify: {
      compress: { keepNames: { function: true, class: true } },
      mangle: { keepNames: true },
    },
    // One letter outside Latin-1 would make the whole source twice as large in memory.
    charset: "ascii",
    // What bin/acct.js compiles would need a loader of its own for each `import()`.
    dynamicImportInCjs: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          name: "start",
          priority: 2,
          test: (id) =>
            /\/node_modules\/commander\/|\0no-child-process/.test(id) ||
            /(?<!node_modules.*)\/package.json$/.test(id) ||
            (/\/src\/(cli|client|wire|platform|resources)\//.test(id) && !isLate(id)) ||
            documents.test(id),
        },
        {
          name: "service-auth",
          priority: 2,
          test: (id) => /\/src\/(service\/auth\/|store\/directory)/.test(id) && !signIn.test(id),
        },
        {
          // Loaded when somebody signs in, or an app asks for tokens.
          name: "service-sign-in",
          priority: 2,
          test: (id) => signIn.test(id) || /\/node_modules\/(oidc-provider|koa|jose)\//.test(id),
        },
        {
          name: "service-events",
          priority: 2,
          test: /\/src\/(service\/webhooks\/(?!figures)|store\/(events|webhooks|deliveries)\.ts$)/,
        },
        {
          name: "service-writing",
          priority: 2,
          test: (id) => writing.some((each) => each.test(id)),
        },
        {
          name: "service",
          priority: 1,
          test: (id) =>
            /\/node_modules\/kysely\//.test(id) ||
            (/\/src\/(service|store|ledger)\//.test(id) && !isLate(id)),
        },
      ],
    },
  },
});

/** A chunk is called after the package or the source file it was begun for. */
function chunkName({ facadeModuleId, name }) {
  const file = facadeModuleId ?? "";
  const inPackage = /.*\/node_modules\/(@[^/]+\/)?([^/]+)\//.exec(file);
  if (inPackage) return `${inPackage[1] ?? ""}${inPackage[2]}`.replace(/^@/, "").replace("/", "-");
  return /\/src\/(.+)\.ts$/.exec(file)?.[1]?.replaceAll("/", "-") ?? name;
}
