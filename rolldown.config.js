// What is published: a few files, each loaded when something in it is needed.
//
// They are CommonJS, since a module pays 3 ms for the face of `node:fs` alone, and few, since each
// file costs some 0.5 ms to find and check: what nearly every command needs lies in one (`start`),
// the service behind an embedded book in another, and every `import()` in src that is for a rare or
// heavy thing begins a chunk of its own.
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "rolldown";
import { sqliteDialect } from "./src/store/dialects/sqlite/sqlite.ts";
import { creationStatements } from "./src/store/upgrade/state.ts";

/** Another whenever the service changes, and with it what a book of this build holds. */
function build() {
  const hash = createHash("sha256");
  const sources = globSync("src/{resources,platform,wire,ledger,store,service,kit}/**/*.ts").sort();
  for (const file of sources) hash.update(file).update(readFileSync(file));
  return hash.digest("hex").slice(0, 8);
}

/** What `selectWhole` reads of a new book, so that opening one compares two texts. */
function created() {
  const byName = [...creationStatements(sqliteDialect(":memory:")).keys()]
    .map((text) => /^([a-z ]+) ("(\w+)".*)$/.exec(text))
    .map(([, kind, rest, name]) => ({ name, text: `CREATE ${kind.toUpperCase()} ${rest}` }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return byName.map(({ text }) => text).join("\n");
}

/**
 * The large chunks, in the order in which they are loaded, each with the modules that begin it: it
 * holds what these reach by static imports and no chunk before it holds, so that chunks import each
 * other in one direction. Every other `import()` in src begins a chunk of its own.
 */
const chunks = {
  // Most command lines: finding the command, reading its flags, opening the book, lists.
  start: [
    "src/cli/main.ts",
    "src/cli/framework/parse.ts",
    "src/cli/connection/open.ts",
    "src/cli/shared/list-verb.ts",
    "src/cli/shared/verbs.ts",
    "src/platform/disposal.ts",
    "src/wire/decode/decode-answer.ts",
  ],
  // The commands of documents, of which those of invoices are used most.
  invoice: ["src/cli/commands/invoice.ts"],
  // The service behind an embedded book, as far as a list needs it.
  service: [
    "src/service/books/book.ts",
    "src/service/records/masters/account.ts",
    "src/service/records/documents.ts",
  ],
  // What reads beyond a list need: a whole document, a contact, the organisation, reports.
  "service-reading": [
    "src/service/documents/expand.ts",
    "src/service/records/masters/contact.ts",
    "src/service/records/payment.ts",
    "src/service/records/masters/organisation.ts",
    "src/service/reports/report-context.ts",
    "src/service/reports/gains.ts",
    "src/ledger/regions/index.ts",
    "src/store/ledger/journals.ts",
    "src/ledger/tax.ts",
    "src/ledger/documents/totals.ts",
    "src/ledger/reports/contacts/aged-contacts.ts",
    "src/service/records/masters/tax-rate.ts",
  ],
  // Letterhead, charts and figures on a page, which lists, a document, reports and `acct` alone share.
  overview: [
    "src/output/overview.ts",
    "src/output/chart/terminal.ts",
    "src/cli/connection/load-letterhead.ts",
    "src/client/organisation-letterhead.ts",
  ],
  "show-document": ["src/cli/shared/show-document.ts"],
  reports: [
    "src/cli/commands/report.ts",
    "src/client/foreign-reports.ts",
    "src/service/reports/financial-statements.ts",
  ],
  // `acct` alone on a terminal.
  status: ["src/cli/commands/status.ts", "src/service/overview/overview.ts"],
  "service-writing": [
    "src/service/request/write.ts",
    "src/service/plans/policy.ts",
    "src/store/chain/write-set.ts",
    "src/service/documents/writing/writer.ts",
    "src/service/records/payment-writing.ts",
    "src/service/plans/policy.ts",
  ],
  "service-auth": globSync("src/service/auth/*.ts"),
  // oidc-provider, loaded when somebody signs in, or an app asks for tokens.
  "service-sign-in": globSync("src/service/auth/sign-in/*.ts"),
};

/** @returns the chunk of each module that one of `chunks` holds, by its path */
function chunkOfEach(context) {
  const chunkOf = new Map();
  for (const [chunk, begins] of Object.entries(chunks)) {
    const waiting = begins.map((file) => resolve(file));
    const gone = waiting.find((id) => context.getModuleInfo(id) === null);
    if (gone !== undefined)
      throw new Error(`The chunk ${chunk} begins with ${gone}, which is not there.`);
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const info = chunkOf.has(id) ? null : context.getModuleInfo(id);
      if (info === null) continue;
      // What `using` becomes for a Node that does not know it is needed without the service, too.
      chunkOf.set(id, id.includes("usingCtx") ? "start" : chunk);
      waiting.push(...info.importedIds);
    }
  }
  return chunkOf;
}

let chunkOf;

/**
 * Parts of packages that are never used, by the package and how it imports them, and what stands in
 * for them. commander starts commands that are programs of their own, with `node:child_process`, which
 * takes 1.7 ms to load, and writes help; kysely makes tables, and reads other schemas and paths in JSON. None of that happens here.
 */
const unused = [
  ["commander", "node:child_process", "export default {};"],
  ["commander", "./help.js", "export class Help {}"],
  ["kysely", "./schema/schema.js", "export class SchemaModule {}"],
  ["kysely", "./query-builder/merge-query-builder.js", "export class MergeQueryBuilder {}"],
  ["kysely", "/plugin/with-schema/with-schema-plugin.js", "export class WithSchemaPlugin {}"],
  ["kysely", "./dynamic/dynamic.js", "export class DynamicModule {}"],
  ["kysely", "../query-builder/json-path-builder.js", "export class JSONPathBuilder {}"],
];
const withoutUnused = {
  name: "without-unused",
  resolveId(source, importer = "") {
    const index = unused.findIndex(
      ([name, part]) => source.endsWith(part) && importer.includes(`/node_modules/${name}/`),
    );
    return index < 0 ? undefined : `\0unused-${index}`;
  },
  load: (id) => unused.find((_, index) => id === `\0unused-${index}`)?.[2],
};

/**
 * oidc-provider warns on stderr of a Node that is not a long-term release, where it is loaded; whether
 * a Node is supported is said by bin/acct.js.
 */
const withoutRuntimeWarning = {
  name: "without-runtime-warning",
  transform(code, id) {
    if (!/\/oidc-provider\/lib\/index\.js$/.test(id)) return undefined;
    const quiet = code.replace(/attention\.warn\('Unsupported runtime[^)]*\);/, "");
    if (quiet === code) this.error("oidc-provider has another warning of an unsupported runtime");
    return { code: quiet, map: null };
  },
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

/**
 * An export that never changes is a value, not a getter: a chunk has hundreds, each a function to be kept
 * and read back at every start. Those declared by `var` or `let` may be set later, and stay getters.
 */
const exportsAsValues = {
  name: "exports-as-values",
  generateBundle(_options, bundle) {
    const getter =
      /Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:!0,get:function\(\)\{return ([\w$]+)\}\}\)/g;
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      const declared = this.parse(chunk.code, { lang: "js", sourceType: "script" }).body;
      const mayChange = new Set(
        declared
          .filter(({ type, kind }) => type === "VariableDeclaration" && kind !== "const")
          .flatMap(({ declarations }) => declarations.map(({ id }) => id.name)),
      );
      chunk.code = chunk.code.replace(getter, (whole, name, value) =>
        mayChange.has(value) ? whole : `exports.${name}=${value}`,
      );
    }
  },
};

/**
 * bin/acct.js reads chunks as latin1. The minifier writes letters of strings as escapes; those of
 * tagged templates it has to keep, so that an escape must stand in the source. Licences in comments
 * get escapes here.
 */
const asciiAlone = {
  name: "ascii-alone",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      chunk.code = chunk.code.replace(/\/\*!.*?\*\//gs, escaped);
      const [found] = /.{0,40}[^\0-\x7f].{0,20}/.exec(chunk.code) ?? [];
      if (found === undefined) continue;
      this.error(`${chunk.fileName} is not ASCII, write \\u00b7: ${found}`);
    }
  },
};

const escaped = (comment) =>
  comment.replace(/[^\0-\x7f]/g, (letter) => {
    const code = letter.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });

export default defineConfig({
  // The build itself calls the others, to write the manual pages and the schema.
  input: {
    main: "src/cli/main.ts",
    "cli-man": "src/cli/man.ts",
    "config-schema": "src/cli/serving/config-schema.ts",
    kit: "src/kit/start.ts",
    "vitest-fixtures": "src/kit/vitest-fixtures.ts",
    "seed-schema": "src/kit/seed/seed-schema.ts",
    controls: "src/kit/controls.ts",
  },
  platform: "node",
  // Read their data, or their machine code, from beside their own files.
  external: ["pdfkit", "@napi-rs/keyring"],
  preserveEntrySignatures: "allow-extension",
  plugins: [withoutUnused, withoutRuntimeWarning, withoutCycles, exportsAsValues, asciiAlone],
  // depd, which oidc-provider brings along, keeps the arity of what it wraps by eval.
  onLog: (level, log, tell) => {
    if (log.code !== "EVAL" || !/\/node_modules\/depd\//.test(log.id ?? "")) tell(level, log);
  },
  // An `import()` loads the chunk that its module lies in, whatever else in that chunk imports it.
  checks: { ineffectiveDynamicImport: false },
  transform: {
    target: "node22",
    define: { BUILD: JSON.stringify(build()), CREATED: JSON.stringify(created()) },
  },
  output: {
    dir: "dist",
    format: "cjs",
    entryFileNames: ({ name }) => (name === "main" ? "main.cjs" : `chunks/${name}-[hash:8].cjs`),
    // A digest in the name: a command that runs while the program is built finds the files it began with.
    chunkFileNames: (chunk) => `chunks/${chunkName(chunk)}-[hash:8].cjs`,
    hashCharacters: "hex",
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
          debugName: "large chunks",
          name: (id, context) => {
            chunkOf ??= chunkOfEach(context);
            return chunkOf.get(id);
          },
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
