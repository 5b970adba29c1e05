// The house has one staircase and it goes down. Whoever imports upwards, or round a corner,
// fails `npm run check`.

// The cruiser reads TypeScript through the compiler's own API, which version 7 no longer has: hence
// version 6 beside it in package.json. Without it the cruiser sees no file at all, and passes.
if (require("typescript").createSourceFile === undefined) {
  throw new Error("dependency-cruiser needs the API of TypeScript 6: run npm ci");
}

/** Top to bottom: a layer may import those after it, never those before it; pages of data alone lie low. */
const layers = [
  "cli/",
  "kit/",
  "admin/",
  "mcp/",
  "web/(?!(?:frame|customer|sign-in)/)",
  "bank-import/",
  "client/",
  "service/",
  "store/",
  "audit-files/",
  "e-invoices/",
  "bank-files/",
  "payment-files/",
  "web/(?=(?:frame|customer|sign-in)/)",
  "output/",
  "ledger/",
  "wire/",
  "platform/",
  "resources/",
];

const upward = layers.slice(1).map((layer, above) => ({
  name: `${layer.replace(/\W+/g, "-")}-imports-down-only`,
  comment: `${layer} may import only the layers below it`,
  severity: "error",
  from: { path: `^src/${layer}` },
  to: { path: `^src/(${layers.slice(0, above + 1).join("|")})` },
}));

/**
 * The rooms of a folder, lowest first: a room may import those before it, never those after it.
 * "." are the files directly in the folder.
 */
const rooms = {
  cli: `
    values render context framework plan connection sign-in import shared prompts export
    bank opening completion doctor serving cassette commands .`,
  service: `
    pdf limits request lookups audit audit-files
    documents manual-journals payments accounts records bank assets
    reports overview closing opening send e-invoices statements erasure
    explain plans operations verification
    openapi api
    books http auth webhooks jobs
    fault-injection online server`,
  ledger: "regions dates . documents postings figures reports bank-matching",
  output: ". words chart html pdf documents xlsx",
  web: "frame customer sign-in books account administration .",
  store:
    "connection schema tx operations chain transactions upgrade outbox mapping . ledger records queries maintenance directory dialects",
};

const filesOf = (folder, room) =>
  room === "." ? `^src/${folder}/[^/]+$` : `^src/${folder}/${room}/`;

const floors = Object.entries(rooms).flatMap(([folder, text]) => {
  const order = text.trim().split(/\s+/);
  const pattern = (room) => filesOf(folder, room);
  return [
    ...order.slice(0, -1).map((room, at) => ({
      name: `${folder}-${room}-imports-down-only`,
      comment: `the rooms of ${folder} have an order, and imports go down it`,
      severity: "error",
      from: { path: pattern(room) },
      to: { path: order.slice(at + 1).map(pattern) },
    })),
    {
      name: `${folder}-rooms-are-listed`,
      comment: `the order of rooms of ${folder} lacks this folder`,
      severity: "error",
      from: { path: `^src/${folder}/`, pathNot: order.map(pattern) },
      to: {},
    },
  ];
});

/**
 * The only ways into the service for the layers above it: administration, its pages and those of
 * accounts, the doors to all pages, the embedded transport.
 */
const waysIntoTheService = [
  "^src/admin/",
  "^src/web/(account|administration)/",
  "^src/web/[^/]+$",
  "^src/client/embedded\\.ts$",
];

module.exports = {
  forbidden: [
    ...upward,
    ...floors,
    {
      name: "service-by-transport-or-administration",
      comment: "the command line and the pages talk to the client, the client to a transport",
      severity: "error",
      from: { path: "^src/(cli|mcp|web|bank-import|client)/", pathNot: waysIntoTheService },
      to: { path: "^src/service/" },
    },
    {
      name: "store-behind-the-service",
      comment: "only the book's commands open a store beside the service",
      severity: "error",
      from: { path: "^src/(cli|mcp|web)/", pathNot: waysIntoTheService },
      to: { path: "^src/store/" },
    },
    {
      name: "bank-files-are-pure",
      comment: "they know money and dates, and are given bytes; whoever has a file brings them",
      severity: "error",
      from: { path: "^src/bank-files/" },
      to: {
        path: "^src/",
        pathNot:
          "^src/(bank-files|platform)/|^src/ledger/(money|dates/calendar)\\.ts$|^src/resources/(bounds|common|decimal|errors)\\.ts$|^src/wire/(csv|foreign-xml|xml)\\.ts$",
      },
    },
    {
      name: "bank-files-compute-only",
      comment: "no I/O: of Node's they need digests and inflation",
      severity: "error",
      from: { path: "^src/bank-files/" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|zlib)$" },
    },
    {
      name: "bank-files-for-imports-and-the-service",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(bank-files|cli|bank-import|web/books/bank|service)/" },
      to: { path: "^src/bank-files/" },
    },
    {
      name: "e-invoices-are-pure",
      comment: "they know money, dates and XML, and are given bytes and records",
      severity: "error",
      from: { path: "^src/e-invoices/" },
      to: {
        path: "^src/",
        pathNot:
          "^src/e-invoices/|^src/ledger/(money|dates/calendar)\\.ts$|^src/resources/(bounds|common|decimal|errors|e-invoice|tax-rate)\\.ts$|^src/wire/(encoding|json|xml|xml-writer)\\.ts$",
      },
    },
    {
      name: "e-invoices-compute-only",
      comment: "no I/O: of Node's they need inflation",
      severity: "error",
      from: { path: "^src/e-invoices/" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?zlib$" },
    },
    {
      name: "e-invoices-for-the-service",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(e-invoices|service)/" },
      to: { path: "^src/e-invoices/" },
    },
    {
      name: "payment-files-are-pure",
      comment: "they know money, dates, references and XML, and are given an order",
      severity: "error",
      from: { path: "^src/payment-files/" },
      to: {
        path: "^src/",
        pathNot:
          "^src/payment-files/|^src/ledger/(dates/calendar|bank-matching/creditor-references)\\.ts$|^src/resources/(common|decimal|errors|payment-file|refusal-rules|scalar)\\.ts$|^src/wire/(csv|xml-writer)\\.ts$",
      },
    },
    {
      name: "payment-files-compute-only",
      comment: "no I/O: nothing of Node's",
      severity: "error",
      from: { path: "^src/payment-files/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "payment-files-for-the-service",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(payment-files|service)/" },
      to: { path: "^src/payment-files/" },
    },
    {
      name: "audit-files-are-pure",
      comment:
        "they are given records and make bytes; a scratch file is for what memory does not hold",
      severity: "error",
      from: { path: "^src/audit-files/" },
      to: {
        path: "^src/",
        pathNot:
          "^src/(audit-files|ledger|wire|resources)/|^src/platform/(file-name|scratch-file|zip)\\.ts$",
      },
    },
    {
      name: "audit-files-compute-only",
      comment: "no I/O: of Node's they need digests and names of paths",
      severity: "error",
      from: { path: "^src/audit-files/" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|path)$" },
    },
    {
      name: "audit-files-for-client-and-service",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(audit-files|cli|web|service)/" },
      to: { path: "^src/audit-files/" },
    },
    {
      name: "client-knows-no-books",
      comment: "the client works on services whose ledger and store it will never see",
      severity: "error",
      from: { path: "^src/client/" },
      to: { path: "^src/(store|ledger)/" },
    },
    {
      name: "ledger-is-pure",
      comment: "no I/O, no clock, no chance: nothing of Node's",
      severity: "error",
      from: { path: "^src/ledger/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "sqlite-in-its-folder",
      comment: "another file borrows a lock of the system's, and no table",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(store/dialects/sqlite/|client/session/lock\\.ts$)" },
      to: { path: "^(node:)?sqlite$" },
    },
    {
      name: "postgres-in-its-folder",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/store/dialects/postgres/" },
      to: { path: ["^node_modules/pg/", "^node_modules/@types/pg/", "^pg$"] },
    },
    {
      name: "sign-in-on-the-served-side",
      comment: "nobody signs in to a book in their own file",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/service/auth/" },
      to: { path: "^node_modules/(@types/)?(oidc-provider|koa)/" },
    },
    {
      name: "no-cycles",
      comment: "types counted: what two files need lies below both",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "src-stands-alone",
      comment: "what is published needs no test, no bench, no development dependency",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench)/" },
    },
    {
      name: "no-development-dependency",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-unknown-package",
      comment: "an import must resolve, and to a package that package.json names",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["unknown", "undetermined", "npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    parser: "tsc",
    tsPreCompilationDeps: true, // sees the imports of types too
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "^node_modules/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      mainFields: ["module", "main", "types"],
    },
  },
};
