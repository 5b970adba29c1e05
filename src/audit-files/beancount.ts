/**
 * Exports the ledger as a beancount file.
 *
 * Each part of a beancount account name begins with a capital or a digit and contains only letters,
 * digits and hyphens; the original name is kept as metadata where it differs.
 */

import { yearMin } from "../resources/bounds.ts";
import type { Journal, JournalLine } from "../resources/journal.ts";
import { AccountNames, type AccountPath, type NamedAccount } from "./account-tree.ts";
import {
  accountOf,
  amountOf,
  type JournalFormat,
  type JournalHeader,
  titleOf,
  toOneLine,
} from "./journal-format.ts";

const roots = {
  assets: "Assets",
  liabilities: "Liabilities",
  equity: "Equity",
  revenues: "Income",
  expenses: "Expenses",
} as const satisfies Record<AccountPath["root"], string>;

export function beancount({
  organisation,
  currency,
  basis,
  accounts,
}: JournalHeader): JournalFormat {
  const names = new AccountNames(nameOf);
  const openLine = (account: NamedAccount): string => {
    const { name, isNew } = names.of(account);
    if (!isNew) return "";
    const code = account.code === undefined ? "" : `  code: ${quoteText(account.code)}\n`;
    return `${yearMin}-01-01 open ${name} ${currency}\n${code}  name: ${quoteText(account.name)}\n`;
  };
  const posting = (line: JournalLine): string => {
    const { name } = names.of(accountOf(line));
    return `  ${name}  ${amountOf(line.NetAmount)} ${currency}\n${metadataOf(line)}`;
  };
  return {
    head: [
      `option "title" ${quoteText(`${organisation}, ${basis} basis`)}\n`,
      `option "operating_currency" "${currency}"\n\n`,
      ...accounts.map(openLine),
    ].join(""),
    journal: (journal) =>
      [
        ...journal.JournalLines.map((line) => openLine(accountOf(line))),
        `\n${journal.JournalDate} * ${quoteText(titleOf(journal))}\n`,
        headOf(journal),
        ...journal.JournalLines.map(posting),
      ].join(""),
  };
}

function nameOf({ code, name }: NamedAccount, { root, branch }: AccountPath): string {
  return [roots[root], ...(branch === undefined ? [] : [branch]), `${code ?? ""} ${name}`]
    .map(accountNamePart)
    .join(":");
}

/**
 * Converts text to a part of an account name: `090 Business Account` to `090-Business-Account`,
 * without accents.
 */
function accountNamePart(text: string): string {
  const plainText = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}\p{Nd}]+/gu, "-")
    .replace(/^-|-$/g, "");
  const capital = plainText.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return /^[\p{Lu}\p{Nd}]/u.test(capital) ? capital : `X${capital}`;
}

function headOf({ JournalNumber, JournalID, SourceID }: Journal): string {
  const source = SourceID === undefined ? "" : `  source-id: "${SourceID}"\n`;
  return `  journal-number: ${JournalNumber}\n  journal-id: "${JournalID}"\n${source}`;
}

function metadataOf({ Description, TaxType, TaxAmount, TrackingCategories }: JournalLine): string {
  const lines: string[] = [];
  if (Description !== "") lines.push(`description: ${quoteText(Description)}`);
  if (TaxType !== undefined) {
    lines.push(`tax-type: ${quoteText(TaxType)}`, `tax-amount: ${amountOf(TaxAmount)}`);
  }
  TrackingCategories.forEach(({ Name = "", Option = "" }, at) => {
    lines.push(`tracking-${at + 1}: ${quoteText(`${Name}: ${Option}`)}`);
  });
  return lines.map((line) => `    ${line}\n`).join("");
}

function quoteText(text: string): string {
  return `"${toOneLine(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
