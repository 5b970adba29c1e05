/** Files of opening balances: trial balance, open documents, and stock. */
import type { Account } from "../../resources/account.ts";
import { type Cents, multiplyDivide } from "../../resources/decimal.ts";
import { type Detail, UsageError } from "../../resources/errors.ts";
import { text, unitAmount } from "../../resources/field.ts";
import { type OpeningBalanceInput, openingBalance } from "../../resources/opening-balance.ts";
import {
  plainName,
  readTable,
  refuseRows,
  type TableFile,
  type TableForm,
} from "../import/readers/row-sheet.ts";

const { fields } = openingBalance;
const balance = fields.Accounts.fields;
const document = fields.Documents.fields;
const line = document.Lines.fields;
const item = fields.Stock.fields;

type Accounts = NonNullable<OpeningBalanceInput["Accounts"]>;
type OpeningDocuments = NonNullable<OpeningBalanceInput["Documents"]>;
type Stock = NonNullable<OpeningBalanceInput["Stock"]>;

/**
 * Headings of debit or credit; most programs have the year's balance beside the month's movement.
 */
const sideNames = (side: string, shortName: string) => [
  ...[`YTD ${side}`, `${side} - Year to date`, `${side} YTD`, `Year to date ${side}`],
  ...[`Closing ${side}`, `${side} Balance`, side, `${side}s`, shortName],
];

const balanceColumns = {
  Account: {
    names: ["AccountCode", "Code", "AccountNumber", "AccountNo", "NominalCode", "N/C", "Account"],
    field: text(),
  },
  Name: { names: ["AccountName", "Name", "Account"], field: text() },
  Debit: { names: sideNames("Debit", "Dr"), field: balance.Debit },
  Credit: { names: sideNames("Credit", "Cr"), field: balance.Credit },
  Balance: { names: ["YTD Balance", "Closing Balance", "Balance", "Amount"], field: balance.Debit },
  CurrencyBalance: {
    names: ["CurrencyBalance", "ForeignBalance", "ForeignAmount"],
    field: balance.CurrencyBalance,
  },
  CurrencyCode: { names: ["CurrencyCode", "Currency"], field: text() },
};

/**
 * Reads a trial balance. An account is named by code, name, or both as `Sales (200)`; rows without
 * amount and total rows are skipped.
 *
 * @throws RefusedError with every row that names no account
 */
export async function readBalances(
  file: TableFile,
  accounts: readonly Account[],
  form: TableForm,
): Promise<Accounts> {
  const columns = {
    oneOf: [
      ["Account", "Name"],
      ["Debit", "Credit", "Balance"],
    ],
    together: ["Debit", "Credit"],
  };
  const rows = await readTable(file, balanceColumns, [], { ...form, ...columns }).then((rowsRead) =>
    rowsRead.filter(({ Debit, Credit, Balance }) => Boolean(Debit || Credit || Balance)),
  );
  const faults: Detail[] = [];
  const balances: Accounts = [];
  for (const { row, Account: code, Name, Debit, Credit, Balance, ...own } of rows) {
    const name = code ?? Name;
    if (name === undefined) {
      faults.push({ record: `row ${row}`, message: "It names no account." });
      continue;
    }
    if (/^total\b/i.test(name)) continue;
    const AccountCode = codeOf(name, accounts);
    if (AccountCode === undefined) {
      const message = `There is no account ${name}; acct account create adds it.`;
      faults.push({ record: `row ${row}`, message });
      continue;
    }
    const other = Name === undefined ? undefined : codeOf(Name, accounts);
    if (other !== undefined && other !== AccountCode) {
      const named = accounts.find(({ Code }) => Code === AccountCode)?.Name;
      const message = `Its code ${AccountCode} is of ${named}, its name ${Name} of ${other}; correct one.`;
      faults.push({ record: `row ${row}`, message });
      continue;
    }
    const { CurrencyBalance, CurrencyCode } = own;
    const currency = CurrencyCode?.toUpperCase() ?? form.currency;
    if (currency !== form.currency && CurrencyBalance === undefined) {
      const message =
        `It is in ${currency}, and a trial balance in ${form.currency}; give both, the amount in ` +
        `${currency} in a column CurrencyBalance.`;
      faults.push({ record: `row ${row}`, message });
      continue;
    }
    balances.push({
      AccountCode,
      Debit: Debit ?? (Balance !== undefined && Balance > 0 ? Balance : undefined),
      Credit: Credit ?? (Balance !== undefined && Balance < 0 ? (-Balance as Cents) : undefined),
      CurrencyBalance,
    });
  }
  refuseRows(file.path, faults);
  return balances;
}

function codeOf(text: string, accounts: readonly Account[]): string | undefined {
  const wantedTexts = [text, /\(([^()]+)\)\s*$/.exec(text)?.[1] ?? text].map((text) =>
    text.trim().toLowerCase(),
  );
  const codeBy = (key: "Code" | "Name") =>
    accounts.find((account) => wantedTexts.includes(account[key]?.toLowerCase() ?? "\n"))?.Code;
  return codeBy("Code") ?? codeBy("Name");
}

const documentColumns = {
  Type: { names: ["Type", "Kind"], field: document.Type },
  Number: { names: ["Number", "InvoiceNumber", "DocumentNumber"], field: document.Number },
  ContactName: { names: ["ContactName", "Contact", "Customer"], field: document.ContactName },
  Date: { names: ["Date", "InvoiceDate"], field: document.Date },
  DueDate: { names: ["DueDate", "Due"], field: document.DueDate },
  Reference: { names: ["Reference"], field: document.Reference },
  CurrencyCode: { names: ["CurrencyCode", "Currency"], field: document.CurrencyCode },
  CurrencyRate: { names: ["CurrencyRate", "Rate"], field: document.CurrencyRate },
  AmountDue: { names: ["AmountDue", "Outstanding", "Open"], field: document.AmountDue },
  Description: { names: ["Description"], field: line.Description },
  Amount: { names: ["Amount", "Total", "Gross"], field: line.Amount },
  TaxAmount: { names: ["TaxAmount", "Tax"], field: line.TaxAmount },
  AccountCode: { names: ["AccountCode", "Account"], field: line.AccountCode },
  TaxType: { names: ["TaxType", "TaxRate"], field: line.TaxType },
};

const documentRequired = ["Type", "Number", "ContactName", "Date", "Amount"] as const;

/**
 * Reads open documents, one line per row; rows of one type, number and contact are one document.
 */
export async function readDocuments(file: TableFile, form: TableForm): Promise<OpeningDocuments> {
  const documentByKey = new Map<string, OpeningDocuments[number]>();
  for (const row of await readTable(file, documentColumns, documentRequired, form)) {
    const { row: _row, Description, Amount, TaxAmount, AccountCode, TaxType, ...head } = row;
    const key = [head.Type, head.Number, head.ContactName].join("\n").toLowerCase();
    const document = documentByKey.get(key) ?? { ...head, Lines: [] };
    document.AmountDue ??= head.AmountDue;
    document.Lines?.push({ Description, Amount: Amount as Cents, TaxAmount, AccountCode, TaxType });
    documentByKey.set(key, document);
  }
  return [...documentByKey.values()];
}

const stockColumns = {
  ItemCode: { names: ["ItemCode", "Item", "Code"], field: item.ItemCode },
  Quantity: { names: ["Quantity", "QuantityOnHand", "OnHand"], field: item.Quantity },
  Cost: { names: ["Cost", "TotalCost", "TotalCostPool", "Value"], field: item.Cost },
  UnitCost: { names: ["UnitCost", "UnitPrice"], field: unitAmount() },
};

/** Reads stock on hand, with total or unit cost of each item. */
export async function readStock(file: TableFile, form: TableForm): Promise<Stock> {
  const rows = await readTable(file, stockColumns, ["ItemCode", "Quantity"], form);
  const faults: Detail[] = [];
  const stock = rows.map(({ row, ItemCode, Quantity, Cost, UnitCost }) => {
    if (Cost === undefined && UnitCost === undefined) {
      faults.push({ record: `row ${row}`, message: "Cost is empty, and there is no UnitCost." });
    }
    const worked = multiplyDivide(Quantity ?? 0, UnitCost ?? 0, 1_000_000) as Cents;
    return { ItemCode, Quantity, Cost: Cost ?? worked };
  });
  refuseRows(file.path, faults);
  return stock;
}

/**
 * Parses `--map FIELD=COLUMN`, by normalised field name.
 *
 * @throws UsageError `BadMap`
 */
export function namedColumns(pairs: readonly string[]): ReadonlyMap<string, string> {
  const fields = [balanceColumns, documentColumns, stockColumns].flatMap(Object.keys);
  return new Map(
    pairs.map((pair) => {
      const [, said = "", column = ""] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
      const name = plainName(said);
      if (column !== "" && fields.some((field) => plainName(field) === name)) {
        return [name, column.trim()];
      }
      const message = `--map is FIELD=COLUMN, not "${pair}"; the fields are ${fields.join(", ")}.`;
      throw new UsageError("BadMap", message);
    }),
  );
}
