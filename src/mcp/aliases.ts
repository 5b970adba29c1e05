/**
 * Tools by the names and arguments of XeroAPI/xero-mcp-server, for agents that know those: each is a
 * call of a tool of this server, under the same policy. Ids may be handles as well.
 */
import { readId } from "../resources/scalar.ts";
import type { Schema } from "../wire/plain-schema.ts";
import { planned, planTools } from "./plan-tools.ts";
import type { Given, Line } from "./program.ts";
import { readTools } from "./read-tools.ts";
import { must, type Tool } from "./tool.ts";

/** Records of a page, as the public server lists them. */
const pageRows = 10;

const toolNamed = (name: string): Tool =>
  [...readTools, ...planTools].find((tool) => tool.name === name) as Tool;

/** Types of arguments that are no texts, by their names. */
const types: Readonly<Record<string, Schema>> = {
  page: { type: "integer", minimum: 1 },
  periods: { type: "integer" },
  amount: { type: "number" },
  contactIds: { type: "array", items: { type: "string" } },
  invoiceNumbers: { type: "array", items: { type: "string" } },
  optionNames: { type: "array", items: { type: "string" } },
  ...Object.fromEntries(
    ["lineItems", "manualJournalLines", "options"].map((name) => [
      name,
      { type: "array", items: { type: "object" } },
    ]),
  ),
  ...Object.fromEntries(
    ["address", "purchaseDetails", "salesDetails"].map((name) => [name, { type: "object" }]),
  ),
  ...Object.fromEntries(
    [
      ...["isTrackedAsInventory", "showOnCashBasisReports"],
      ...["paymentsOnly", "standardLayout", "includeArchived"],
    ].map((name) => [name, { type: "boolean" }]),
  ),
};

/**
 * Makes an alias.
 *
 * @param takes  names of its arguments, those that must be given with `!`
 * @param run    answers as one of the tools of this server
 */
function alias(name: string, takes: string, reads: boolean, run: Tool["run"]): Tool {
  const words = name.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());
  const properties = takes.split(" ").flatMap((word): [string, Schema][] => {
    const argument = word.replace("!", "");
    const schema = types[argument] ?? { type: "string" };
    return word === "" ? [] : [[argument, word.endsWith("!") ? must(schema) : schema]];
  });
  return {
    name,
    description: `${words}${reads ? "." : ": becomes a plan, which a person approves."}`,
    takes: () => Object.fromEntries(properties),
    run,
    ...(reads && { reads }),
  };
}

// --- arguments -----------------------------------------------------------------------------------

/** Returns what names a record: a GUID, or a handle without its kind. */
const keyIn = (value: unknown): string => String(value).replace(/^[a-z-]+:/, "");

/** Returns the handle of a record that is named by a GUID or a handle. */
const handleIn = (kind: string, value: unknown): string =>
  /^[a-z-]+:/.test(String(value)) ? String(value) : `${kind}:${value}`;

/** References by argument: their field, and the key that names the record where it is no GUID. */
const references: Readonly<Record<string, readonly [field: string, id: string, key: string]>> = {
  contactId: ["Contact", "ContactID", "Name"],
  bankAccountId: ["BankAccount", "AccountID", "Code"],
};

/** Returns a record as the service takes it: names in its letter case, and references by id. */
function recordOf(given: Given): Given {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => fieldOf(name, value)));
}

function fieldOf(name: string, value: unknown): readonly [name: string, value: unknown] {
  const [field, id = "", key = ""] = references[name] ?? [];
  if (field !== undefined) {
    const text = keyIn(value);
    return [field, { [readId(text) === undefined ? key : id]: text }];
  }
  if (name === "email") return ["EmailAddress", value];
  if (name === "phone") return ["Phones", [{ PhoneType: "DEFAULT", PhoneNumber: value }]];
  if (name === "address") {
    return ["Addresses", [{ AddressType: "STREET", ...recordOf(value as Given) }]];
  }
  if (name === "lineAmountTypes") {
    return [
      "LineAmountTypes",
      { EXCLUSIVE: "Exclusive", INCLUSIVE: "Inclusive" }[String(value)] ?? "NoTax",
    ];
  }
  const own = name === "manualJournalLines" ? "journalLines" : name.replace(/Id$/, "ID");
  return [own.replace(/^./, (letter) => letter.toUpperCase()), serviceValue(value)];
}

function serviceValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(serviceValue);
  return typeof value === "object" && value !== null ? recordOf(value as Given) : value;
}

/** Filters of lists by argument. */
const filters: Readonly<Record<string, string>> = {
  contactId: "contact",
  bankAccountId: "bank-account",
  invoiceId: "invoice",
  invoiceNumber: "invoice",
  reference: "reference",
  quoteNumber: "quote-number",
  searchTerm: "search",
  modifiedAfter: "modified-since",
};

/** Returns the condition that a list has one of several names or ids; undefined without any. */
function anyOf(field: string, values: unknown, id = field): string | undefined {
  const conditions = ((values ?? []) as readonly unknown[]).map((value) => {
    const key = keyIn(value);
    return readId(key) === undefined ? `${field}==${JSON.stringify(key)}` : `${id}==guid("${key}")`;
  });
  return conditions.length === 0 ? undefined : conditions.join(" OR ");
}

function listArguments(kind: string, { page = 1, ...given }: Given): Given {
  const filter = Object.entries(given).flatMap(([name, value]) => {
    const flag = filters[name];
    return flag === undefined ? [] : [[flag, keyIn(value)] as const];
  });
  return {
    kind,
    filter: Object.fromEntries(filter),
    limit: pageRows,
    cursor: String((Number(page) - 1) * pageRows),
  };
}

// --- tools ---------------------------------------------------------------------------------------

/** A list; with the argument `id` the record that it names. */
const lists = (name: string, kind: string, takes = "", id = ""): Tool =>
  alias(`list-${name}`, `${takes} ${id}`.trim(), true, (desk, given, bytes) =>
    given[id] === undefined
      ? toolNamed("list").run(desk, listArguments(kind, given), bytes)
      : toolNamed("show").run(desk, { handle: handleIn(kind, given[id]) }, bytes),
  );

/** Flags of reports by argument; a layout of the public server's own changes nothing. */
const reportArguments: Readonly<Record<string, string>> = {
  contactId: "subject",
  reportDate: "date",
  invoicesFromDate: "from",
  invoicesToDate: "to",
  fromDate: "from",
  toDate: "to",
  paymentsOnly: "payments_only",
  trackingOptionID1: "tracking_option",
  standardLayout: "",
};

const reports = (name: string, report: string, takes: string): Tool =>
  alias(`list-${name}`, takes, true, (desk, given, bytes) => {
    const flags = Object.entries(given).map(([argument, value]) => [
      reportArguments[argument] ?? argument,
      argument === "contactId" ? keyIn(value) : value,
    ]);
    const { "": _, ...asked } = Object.fromEntries(flags);
    return toolNamed("report").run(desk, { name: report, ...asked }, bytes);
  });

const creates = (kind: string, takes: string, defaults: Given = {}): Tool =>
  alias(`create-${kind}`, takes, false, (desk, { ...given }, bytes) => {
    const isBill = kind === "invoice" && given.type === "ACCPAY";
    const own = { tracking: "tracking" }[kind.slice(0, 8)] ?? kind;
    const records = [{ ...defaults, ...recordOf(given) }];
    return toolNamed("create").run(desk, { kind: isBill ? "bill" : own, records }, bytes);
  });

const updates = (kind: string, takes: string, id: string): Tool =>
  alias(`update-${kind}`, `${id}! ${takes}`, false, (desk, { [id]: key, ...given }, bytes) => {
    const handle = handleIn(kind, key);
    return toolNamed("update").run(desk, { handle, fields: recordOf(given) }, bytes);
  });

/** A plan of lines, in place of one of the tools. */
const plans = (
  name: string,
  takes: string,
  lines: (given: Given) => readonly (Line & { readonly body?: object })[],
) =>
  alias(name, takes, false, (desk, given) =>
    planned(desk, name, given, (folder) =>
      Promise.all(
        lines(given).map(async ({ body, ...line }, at) => {
          if (body === undefined) return line;
          const input = await folder.put(`${at}.json`, JSON.stringify(body));
          return { ...line, own: [`--input=${input}`, ...(line.own ?? [])] };
        }),
      ),
    ),
  );

const post = (path: string, body: object) => ({ noun: ["api"], own: ["POST", path], body });
const segment = (value: unknown) => encodeURIComponent(keyIn(value));

const document = "contactId! lineItems! reference";
const itemFields =
  "code! name! description purchaseDescription purchaseDetails salesDetails isTrackedAsInventory inventoryAssetAccountCode";
const journalFields =
  "narration! manualJournalLines! date lineAmountTypes status url showOnCashBasisReports";
const periods = "periods timeframe standardLayout paymentsOnly";
const aged = "contactId! reportDate invoicesFromDate invoicesToDate";

export const aliases: readonly Tool[] = [
  lists("accounts", "account"),
  lists("bank-transactions", "bank-transaction", "page bankAccountId"),
  lists("contact-groups", "contact-group", "", "contactGroupId"),
  lists("contacts", "contact", "page searchTerm"),
  lists("credit-notes", "credit-note", "page contactId"),
  alias("list-invoices", "page contactIds invoiceNumbers", true, async (desk, given, bytes) => {
    const where =
      anyOf("InvoiceNumber", given.invoiceNumbers) ??
      anyOf("Contact.Name", given.contactIds, "Contact.ContactID");
    const of = (kind: string) =>
      toolNamed("list").run(desk, { ...listArguments(kind, given), where }, bytes / 2);
    return { invoices: await of("invoice"), bills: await of("bill") };
  }),
  lists("items", "item", "page"),
  lists("manual-journals", "manual-journal", "page modifiedAfter", "manualJournalId"),
  alias("list-organisation-details", "", true, (desk, given, bytes) =>
    toolNamed("books").run(desk, given, bytes),
  ),
  lists("payments", "payment", "page invoiceNumber invoiceId reference", "paymentId"),
  lists("quotes", "quote", "page contactId quoteNumber"),
  lists("tax-rates", "tax-rate"),
  lists("tracking-categories", "tracking", "includeArchived"),
  reports("profit-and-loss", "pl", `fromDate toDate ${periods}`),
  reports("report-balance-sheet", "balance-sheet", `date trackingOptionID1 ${periods}`),
  reports("trial-balance", "trial-balance", "date paymentsOnly"),
  reports("aged-receivables-by-contact", "aged-receivables", aged),
  reports("aged-payables-by-contact", "aged-payables", aged),
  creates("bank-transaction", `type! bankAccountId! ${document} date`),
  creates("contact", "name! email phone"),
  creates("credit-note", document, { Type: "ACCRECCREDIT" }),
  creates("invoice", `${document} type date`),
  creates("item", itemFields),
  creates("manual-journal", journalFields),
  creates("quote", `${document} quoteNumber terms title summary`),
  creates("tracking-category", "name!"),
  alias(
    "create-payment",
    "invoiceId! accountId! amount! date reference",
    false,
    (desk, given, bytes) => {
      const { invoiceId, accountId, ...payment } = given;
      const handle = handleIn("invoice", invoiceId);
      return toolNamed("pay").run(desk, { ...payment, handle, account: keyIn(accountId) }, bytes);
    },
  ),
  plans("create-tracking-options", "trackingCategoryId! optionNames!", (given) =>
    (given.optionNames as readonly string[]).map((option) => ({
      noun: ["tracking", "option"],
      verb: "add",
      args: [keyIn(given.trackingCategoryId), option],
    })),
  ),
  updates("bank-transaction", "type contactId lineItems reference date", "bankTransactionId"),
  updates("contact", "name! firstName lastName email phone address", "contactId"),
  updates("credit-note", "lineItems reference date contactId", "creditNoteId"),
  updates("invoice", "lineItems reference dueDate date contactId", "invoiceId"),
  updates("item", itemFields, "itemId"),
  updates(
    "quote",
    "lineItems reference terms title summary quoteNumber contactId date expiryDate",
    "quoteId",
  ),
  plans(
    "update-manual-journal",
    `manualJournalID! ${journalFields}`,
    ({ manualJournalID, ...given }) => [
      post(`/ManualJournals/${segment(manualJournalID)}`, recordOf(given)),
    ],
  ),
  plans(
    "update-tracking-category",
    "trackingCategoryId! name status",
    ({ trackingCategoryId, ...flags }) => [
      { noun: ["tracking"], verb: "update", args: [keyIn(trackingCategoryId)], flags },
    ],
  ),
  plans("update-tracking-options", "trackingCategoryId! options!", (given) =>
    (given.options as readonly Given[]).map(({ trackingOptionId, ...option }) =>
      post(
        `/TrackingCategories/${segment(given.trackingCategoryId)}/Options/${segment(trackingOptionId)}`,
        recordOf(option),
      ),
    ),
  ),
];

/** Tools without an alias, which are listed beside the aliases. */
const beside = ["show", "plans", "plan_show", "plan_withdraw", "apply"];

export const aliased: readonly Tool[] = [...aliases, ...beside.map(toolNamed)];
