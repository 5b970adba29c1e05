/** Changes of the kinds that are made often, each with all of its files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Patch, Ran, Tree } from "./tree.ts";

const root = join(import.meta.dirname, "..", "..");
const source = (file: string) => readFileSync(join(root, file), "utf8");

/** The text of a file with words replaced, where another is made like it. */
function like(file: string, replaced: Readonly<Record<string, string>>): string {
  return Object.entries(replaced).reduce(
    (text, [part, by]) => text.replaceAll(part, by),
    source(file),
  );
}

export interface Probe {
  readonly patch: Patch;
  /** Most files that the change may take; a folder is one. */
  readonly filesMax: number;
  /** What says that a file was left out, by the file; the others cannot be left out one by one. */
  readonly missed: Readonly<Record<string, RegExp>>;
  /** A program run with all of it: each line with what it answers. */
  readonly runs: (tree: Tree) => readonly (readonly [Ran, RegExp])[];
}

/** A kind of document like quotes. */
const note = {
  QuoteStatus: "NoteStatus",
  quoteStatuses: "noteStatuses",
  Quotes: "DeliveryNotes",
  QuoteID: "NoteID",
  QuoteNumber: "NoteNumber",
  Quote: "DeliveryNote",
  QUOTE: "DELIVERYNOTE",
  quote: "deliveryNote",
};
const imported = 'import { quote } from "./quote.ts";\n';

const documentKind: Patch = {
  "src/resources/delivery-note.ts": like("src/resources/quote.ts", note)
    .replace('noun: "deliveryNote"', 'noun: "delivery note"')
    .replace("    printed: true,\n    online: true,\n", "")
    .replace("    Billings: documentBillings,\n", "")
    .replace("documentBillings, ", "")
    .replace(/export type NoteStatus.*\n/, ""),
  "src/resources/index.ts": [
    [imported, `import { deliveryNote } from "./delivery-note.ts";\n${imported}`],
    [
      "  quote,\n  receipt,\n  repeatingInvoice,",
      "  deliveryNote,\n  quote,\n  receipt,\n  repeatingInvoice,",
    ],
    [
      "  quote,\n  receipt,\n  expenseClaim,",
      "  deliveryNote,\n  quote,\n  receipt,\n  expenseClaim,",
    ],
  ],
  "src/service/documents/document-registry.ts": [
    ["  creditNote,\n  type DocumentName,", "  creditNote,\n  deliveryNote,\n  type DocumentName,"],
    [
      "  RECEIPT: {\n",
      `  DELIVERYNOTE: {
    resource: deliveryNote,
    access: access.sales(...invoicing),
    label: "Delivery note",
    side: deliveryNote.document.side,
    lifeCycle: manualLifeCycle(quoteMoves, {
      approved: ["SENT"],
      ended: ["DELETED"],
      notModified: "It cannot be changed.",
      notCreated: () => "It cannot be made so.",
      notMoved: () => undefined,
    }),
    firstStatus: "DRAFT",
    series: { sequence: "delivery-note", prefix: "DN-", width: 4 },
    numberTaken: "Its number must be unique",
  },
  RECEIPT: {
`,
    ],
  ],
  "src/cli/commands/delivery-note.ts": `import { deliveryNote } from "../../resources/delivery-note.ts";
import type { Child } from "../context/context.ts";
import { fieldsOf } from "../framework/flags.ts";
import { createVerb, type DocumentKind } from "../shared/document-verbs.ts";
import { listCommand } from "../shared/list-verb.ts";
import { nounOf } from "../shared/verbs.ts";

const note: DocumentKind<typeof deliveryNote> = {
  ...nounOf(deliveryNote),
  fields: fieldsOf(deliveryNote),
  newStatuses: ["DRAFT", "SENT"],
};

export const deliveryNoteVerbs: readonly Child[] = [
  listCommand({ resource: deliveryNote, omit: ["Date"], examples: ["acct delivery-note list"] }),
  createVerb(note, "acct delivery-note create"),
];
`,
  "src/cli/nouns.ts": [
    [
      '    deferLoading("credit-note",',
      `    deferLoading("delivery-note", [], "goods sent").from(
      async () => (await import("./commands/delivery-note.ts")).deliveryNoteVerbs,
    ),
    deferLoading("credit-note",`,
    ],
  ],
};

const twin = "src/store/dialects/twin";

export const probes: Readonly<Record<string, Probe>> = {
  "a field on invoices": {
    patch: {
      "src/resources/invoice.ts": [
        [
          "    SentToContact: boolean(",
          '    ProjectCode: text({ max: 50, help: "the project" }),\n    SentToContact: boolean(',
        ],
      ],
      "src/store/schema/definitions/document-tables.ts": [
        [
          '      expiry_date: "text?",',
          '      expiry_date: "text?",\n      project_code: "text?",',
        ],
      ],
    },
    filesMax: 2,
    missed: {
      "src/store/schema/definitions/document-tables.ts":
        /column-check\.ts.*"project_code"' does not satisfy/,
    },
    runs: (tree) => [
      [tree.acct("invoice create --help"), /--project-code CODE +the project/],
      [tree.acct("contact create --name Moa --book a.acct -o id"), /-/],
      [
        tree.acct(
          "invoice create --contact Moa --project-code P7 --line description=A,quantity=1,unit-amount=5,account=200 --book a.acct -o id",
        ),
        /-/,
      ],
      [tree.acct("invoice list --columns ProjectCode --book a.acct -o csv"), /^ProjectCode\nP7\n$/],
      [tree.acct("book verify --book a.acct"), /Everything adds up/],
    ],
  },
  "a report": {
    patch: {
      "src/resources/report.ts": [
        [
          "  CashFlow: {\n",
          `  MoneyAtBank: {
    title: "Money at Bank",
    module: "summaries",
    group: "bank",
    scope: "banksummary",
    parameters: { date: date({ help: "today when not given" }) },
    isAsAt: true,
    command: "money-at-bank",
    summary: "what the bank accounts hold",
    examples: ["acct report money-at-bank"],
    meant: "last",
    chart: undefined,
    drill: undefined,
  },
  CashFlow: {
`,
        ],
      ],
      "src/ledger/reports/money-at-bank.ts": `/** What each bank account holds at the end of a day. */
import { type Figure, ledger, type Period, sum } from "../figures/expression.ts";
import { type AccountInfo, accountFigures, figureRow, headerRow, type ReportRow, sectionRow } from "./report-rows.ts";

export function moneyAtBank(accounts: readonly AccountInfo[], period: Period): ReportRow[] {
  const held = accounts.map((account): Figure =>
    ledger([account.AccountID, account.Name, "Balance"], 1, "held", period, [account]),
  );
  const total = sum(["total", "Total", "SectionTotal"], held);
  const rows = held.map((figure) => accountFigures([figure]));
  return [headerRow(["Account", "Held"]), sectionRow("", [...rows, figureRow("SummaryRow", [total])])];
}
`,
      "src/service/reports/summaries.ts": [
        [
          "import { groupsCurrencyGains }",
          'import { moneyAtBank as moneyRows } from "../../ledger/reports/money-at-bank.ts";\nimport { groupsCurrencyGains }',
        ],
        ["import { budgetColumnsMax } from", "import { budgetColumnsMax, reports } from"],
        ["import { netSums } from", "import { balancesAt, netSums } from"],
        [
          "/** GET /Reports/BankSummary: the current month unless told otherwise. */\n",
          `/** GET /Reports/MoneyAtBank */
export const moneyAtBank: MakeReport = async (reading) => {
  const banks = reading.chart.accounts.filter(({ Type }) => Type === "BANK");
  const date = dateOf(reading.call, "date") ?? reading.today;
  const rows = moneyRows(banks, await balancesAt(reading, date));
  return { titles: [reports.MoneyAtBank.title, reading.organisation.Name], rows };
};

/** GET /Reports/BankSummary: the current month unless told otherwise. */
`,
        ],
      ],
    },
    filesMax: 3,
    missed: {
      "src/resources/report.ts": /Property 'MoneyAtBank' does not exist/,
      "src/ledger/reports/money-at-bank.ts": /Cannot find module '.*\/money-at-bank\.ts'/,
      "src/service/reports/summaries.ts": /Property 'moneyAtBank' is missing/,
    },
    runs: (tree) => [
      [tree.acct("report --help"), /money-at-bank +what the bank accounts hold/],
      [
        tree.acct("report money-at-bank --demo -o csv"),
        /^Section,RowType,Account,Held\n[\s\S]*,SummaryRow,Total,\d+\.\d\d\n$/,
      ],
      [tree.acct("explain money-at-bank Total --demo"), /Money at Bank/],
    ],
  },
  "an output format": {
    patch: {
      "src/cli/render/formats/lines.ts": `/** A field a line. */
import { columnsOf } from "../../../output/columns.ts";
import { plainValue } from "../../../wire/plain.ts";
import type { Formatter } from "../formatter.ts";

export const lines: Formatter = {
  holds: "columns",
  record: (writer, resource, record) => lines.records(writer, resource, [record]),
  records: (writer, resource, records) =>
    writer.answer(async (target) => {
      for await (const record of records) {
        for (const { path, field, read } of columnsOf(resource, writer.columns)) {
          await target.write(\`\${path}: \${plainValue(field, read(record))}\\n\`);
        }
      }
    }),
};
`,
      "src/cli/render/formats/index.ts": [
        [
          "import { html, pdf, xlsx }",
          'import { lines } from "./lines.ts";\nimport { html, pdf, xlsx }',
        ],
        ["  ndjson,\n", "  lines,\n  ndjson,\n"],
      ],
    },
    filesMax: 2,
    missed: {
      "src/cli/render/formats/lines.ts": /Cannot find module '\.\/lines\.ts'/,
      "src/cli/render/formats/index.ts": /formats\/lines\.ts: nothing imports it/,
    },
    runs: (tree) => [
      [tree.acct("invoice list --help"), /-o/],
      [tree.acct("invoice list --demo -o lines --limit 1"), /^InvoiceNumber: INV-/],
      [tree.acct("book verify --book a.acct -o lines"), /^path: .*a\.acct/],
      [tree.acct("doctor --book a.acct -o lines"), /^state: ok/],
    ],
  },
  "a country": {
    patch: {
      "src/ledger/regions/ie.ts": like("src/ledger/regions/global.ts", {
        "const global": "const ie",
        '"Anywhere else"': '"Ireland"',
        '"GLOBAL"': '"GLOBAL"',
        '"VG"': '"IE"',
        '"USD"': '"EUR"',
      }),
      "src/ledger/regions/index.ts": [
        ["import { nz }", 'import { ie } from "./ie.ts";\nimport { nz }'],
        ["  NZ: nz,", "  IE: ie,\n  NZ: nz,"],
      ],
    },
    filesMax: 2,
    missed: {
      "src/ledger/regions/ie.ts": /Cannot find module '\.\/ie\.ts'/,
      "src/ledger/regions/index.ts": /regions\/ie\.ts: nothing imports it/,
    },
    runs: (tree) => [
      [tree.acct("init --name Liffey --country IE --book ie.acct --no-input"), /ie\.acct/],
      [tree.acct("book info --book ie.acct"), /Country +IE[\s\S]*Currency +EUR/],
    ],
  },
  "a dialect of databases": {
    patch: {
      [`${twin}/twin.ts`]: `import type { StoreDialect } from "../../tx/dialect.ts";
import { sqliteDialect } from "../sqlite/sqlite.ts";

export const twinAt = (url: string): StoreDialect => sqliteDialect(url.replace(/^twin:\\/\\//, ""));
`,
      "src/store/dialects/databases.ts": [
        [
          "  postgresql: postgres,",
          '  postgresql: postgres,\n  twin: async () => (await import("./twin/twin.ts")).twinAt,',
        ],
      ],
    },
    filesMax: 2,
    missed: {
      [`${twin}/twin.ts`]: /Cannot find module '\.\/twin\/twin\.ts'/,
      "src/store/dialects/databases.ts": /twin\/twin\.ts: nothing imports it/,
    },
    runs: (tree) => [
      [tree.acct("init --name Tui --country NZ --database twin://twin.db --no-input"), /twin/],
      [tree.acct("account list --database twin://twin.db --type BANK -o csv"), /^Code,/],
      [tree.acct("book verify --database twin://twin.db"), /Everything adds up/],
    ],
  },
  "a verb": {
    patch: {
      "src/cli/commands/contact-group.ts": [
        [
          "  addCommand,\n  removeCommand,\n",
          '  addCommand,\n  removeCommand,\n  command("greet", "greet them").action(async (ctx) => ctx.out.value("Kia ora", "Kia ora")),\n',
        ],
      ],
    },
    filesMax: 1,
    missed: {},
    runs: (tree) => [
      [tree.acct("contact-group --help"), /greet +greet them/],
      [tree.acct("contact-group greet -o csv"), /^Value\nKia ora\n$/],
    ],
  },
  "a function of conditions": {
    patch: {
      "src/wire/query/tree.ts": [
        [
          "  endsWith: (text: string, value: string) => text.endsWith(value),",
          "  endsWith: (text: string, value: string) => text.endsWith(value),\n  precedes: (text: string, value: string) => text < value,",
        ],
      ],
      "src/store/mapping/conditions.ts": [
        [
          '    case "contains":\n',
          '    case "precedes":\n      return sql`$' +
            "{text} < $" +
            '{operand}`;\n    case "contains":\n',
        ],
      ],
    },
    filesMax: 2,
    missed: {
      "src/wire/query/tree.ts": /Type '"precedes"' is not comparable/,
      "src/store/mapping/conditions.ts": /conditions\.ts.*(?:TS2366|TS7030)/,
    },
    runs: (tree) => [
      [
        tree.acct(`contact list --book a.acct --where Name.Precedes("N") -o csv --columns Name`),
        /^Name\nMoa\n$/,
      ],
      [
        tree.acct(`contact list --book a.acct --where Name.Precedes("B") -o csv --columns Name`),
        /^Name\n$/,
      ],
    ],
  },
  "a kind of document": {
    patch: documentKind,
    filesMax: 5,
    missed: {
      "src/resources/delivery-note.ts": /Cannot find module '\.\/delivery-note\.ts'/,
      "src/resources/index.ts": /has no exported member (?:named )?'deliveryNote'/,
      "src/service/documents/document-registry.ts": /Property 'DELIVERYNOTE' is missing/,
      "src/cli/commands/delivery-note.ts": /Cannot find module '\.\/commands\/delivery-note\.ts'/,
      "src/cli/nouns.ts": /commands\/delivery-note\.ts: nothing imports it/,
    },
    runs: (tree) => [
      [tree.acct("help all"), /Sales:[\s\S]*delivery-note +goods sent[\s\S]*Purchases:/],
      [
        tree.acct(
          "delivery-note create --contact Moa --line description=A,quantity=1,unit-amount=5,account=200 --book a.acct -o csv",
        ),
        /DN-0001/,
      ],
      [tree.acct("book verify --book a.acct"), /Everything adds up/],
      [tree.acct("export folder exported  --book a.acct"), /^$/],
      [
        tree.evaluate(
          "const { recordLists } = await import('./src/web/books/catalogue.ts');" +
            "console.log(recordLists.find(({ path }) => path === '/delivery-notes')?.title);",
        ),
        /^Delivery notes\n$/,
      ],
    ],
  },
  "a category of events": {
    patch: {
      "src/resources/quote.ts": [
        ['    noun: "quote",', '    eventCategory: "QUOTE",\n    noun: "quote",'],
      ],
    },
    filesMax: 1,
    missed: {},
    runs: (tree) => [
      [
        tree.evaluate(
          "const { resourceByCategory } = await import('./src/resources/index.ts');" +
            "console.log(resourceByCategory.get('QUOTE').name);",
        ),
        /^Quote\n$/,
      ],
    ],
  },
  "an import format": {
    patch: {
      "src/cli/import/readers/bars.ts": `/** Cells between bars, a row a line, the first of which begins with a bar. */
import type { SourceFormat } from "./reader.ts";
import type { SourceFile } from "./source.ts";

function textOf(source: SourceFile): string {
  const buffer = Buffer.alloc(source.bytes);
  return buffer.toString("utf8", 0, source.read(buffer, 0));
}

export const bars: SourceFormat = {
  recognises: (source) => textOf(source).startsWith("|"),
  open: (source) => ({
    description: "bars",
    rejectedForm: { delimiter: ",", encoding: "utf-8" },
    *rows() {
      const lines = textOf(source).trim().split("\\n");
      yield lines.map((line, at) => ({ row: at + 1, cells: line.slice(1).split("|") }));
    },
  }),
};
`,
      "src/cli/import/readers/reader.ts": [
        ["import { type CsvForm", 'import { bars } from "./bars.ts";\nimport { type CsvForm'],
        ["= [csv];", "= [bars, csv];"],
      ],
    },
    filesMax: 2,
    missed: {
      "src/cli/import/readers/bars.ts": /Cannot find module '\.\/bars\.ts'/,
      "src/cli/import/readers/reader.ts": /readers\/bars\.ts: nothing imports it/,
    },
    runs: (tree) => {
      tree.write("contacts.txt", "|Name\n|Tui Ltd\n");
      tree.write("balances.txt", "|AccountCode|Debit|Credit\n|620|50.00|\n|970||50.00\n");
      return [
        [tree.acct("import contacts contacts.txt --book a.acct --yes"), /imported +1/],
        [tree.acct("contact list --book a.acct -o csv --columns Name"), /Tui Ltd/],
        [tree.acct("opening set balances.txt --date 2026-03-31 --book a.acct --yes"), /50\.00/],
      ];
    },
  },
};
