/** Files that opening balances come in: the trial balance, the open documents, the stock. */
import type { Account } from "../../resources/account.ts";
import { type Cents, multiplyDivide } from "../../resources/decimal.ts";
import type { Detail } from "../../resources/errors.ts";
import { text, unitAmount } from "../../resources/field.ts";
import { type OpeningBalanceInput, openingBalance } from "../../resources/opening-balance.ts";
import type { ValueForm } from "../import/mapping/values.ts";
import { readTable, refuseRows } from "../import/readers/sheet.ts";

const { fields } = openingBalance;
const balance = fields.Accounts.fields;
const document = fields.Documents.fields;
const line = document.Lines.fields;
const item = fields.Stock.fields;

/** How files are written; signs beside amounts are of `currency` where a row names none. */
type FileForm = ValueForm & { readonly currency?: string };

type Accounts = NonNullable<OpeningBalanceInput["Accounts"]>;
type Documents = NonNullable<OpeningBalanceInput["Documents"]>;
type Stock = NonNullable<OpeningBalanceInput["Stock"]>;

// Trial balances of most programs have the balance of the year beside the movement of a month.
const balanceColumns = {
  Account: { names: ["AccountCode", "Code", "Account"], field: text() },
  Debit: { names: ["YTD Debit", "Debit"], field: balance.Debit },
  Credit: { names: ["YTD Credit", "Credit"], field: balance.Credit },
  Balance: { names: ["Balance", "Amount"], field: balance.Debit },
  CurrencyBalance: {
    names: ["CurrencyBalance", "ForeignBalance", "ForeignAmount"],
    field: balance.CurrencyBalance,
  },
};

/**
 * The balances of a trial balance. An account is named by its code, its name, or both as `Sales
 * (200)`; rows without an amount and totals are passed over.
 *
 * @throws RefusedError with every row that names no account
 */
export async function readBalances(
  path: string,
  accounts: readonly Account[],
  form: FileForm,
): Promise<Accounts> {
  const rows = await readTable(path, balanceColumns, ["Account"], form).then((all) =>
    all.filter(({ Debit, Credit, Balance }) => Boolean(Debit || Credit || Balance)),
  );
  const faults: Detail[] = [];
  const found: Accounts = [];
  for (const { row, Account: name = "", Debit, Credit, Balance, CurrencyBalance } of rows) {
    if (/^total\b/i.test(name)) continue;
    const AccountCode = codeOf(name, accounts);
    if (AccountCode === undefined) {
      const message = `There is no account ${name}; acct account create adds it.`;
      faults.push({ record: `row ${row}`, message });
      continue;
    }
    found.push({
      AccountCode,
      Debit: Debit ?? (Balance !== undefined && Balance > 0 ? Balance : undefined),
      Credit: Credit ?? (Balance !== undefined && Balance < 0 ? (-Balance as Cents) : undefined),
      CurrencyBalance,
    });
  }
  refuseRows(path, faults);
  return found;
}

function codeOf(said: string, accounts: readonly Account[]): string | undefined {
  const wanted = [said, /\(([^()]+)\)\s*$/.exec(said)?.[1] ?? said].map((each) =>
    each.trim().toLowerCase(),
  );
  const named = (key: "Code" | "Name") =>
    accounts.find((each) => wanted.includes(each[key]?.toLowerCase() ?? "\n"))?.Code;
  return named("Code") ?? named("Name");
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

/** Open documents, a row a line: rows of one type, number and contact are one document. */
export async function readDocuments(path: string, form: FileForm): Promise<Documents> {
  const documents = new Map<string, Documents[number]>();
  for (const row of await readTable(path, documentColumns, documentRequired, form)) {
    const { row: _row, Description, Amount, TaxAmount, AccountCode, TaxType, ...head } = row;
    const key = [head.Type, head.Number, head.ContactName].join("\n").toLowerCase();
    const found = documents.get(key) ?? { ...head, Lines: [] };
    found.AmountDue ??= head.AmountDue;
    found.Lines?.push({ Description, Amount: Amount as Cents, TaxAmount, AccountCode, TaxType });
    documents.set(key, found);
  }
  return [...documents.values()];
}

const stockColumns = {
  ItemCode: { names: ["ItemCode", "Item", "Code"], field: item.ItemCode },
  Quantity: { names: ["Quantity", "QuantityOnHand", "OnHand"], field: item.Quantity },
  Cost: { names: ["Cost", "TotalCost", "TotalCostPool", "Value"], field: item.Cost },
  UnitCost: { names: ["UnitCost", "UnitPrice"], field: unitAmount() },
};

/** Items on hand, with what all of each cost or what one did. */
export async function readStock(path: string, form: FileForm): Promise<Stock> {
  const rows = await readTable(path, stockColumns, ["ItemCode", "Quantity"], form);
  const faults: Detail[] = [];
  const stock = rows.map(({ row, ItemCode, Quantity, Cost, UnitCost }) => {
    if (Cost === undefined && UnitCost === undefined) {
      faults.push({ record: `row ${row}`, message: "Cost is empty, and there is no UnitCost." });
    }
    const worked = multiplyDivide(Quantity ?? 0, UnitCost ?? 0, 1_000_000) as Cents;
    return { ItemCode, Quantity, Cost: Cost ?? worked };
  });
  refuseRows(path, faults);
  return stock;
}
