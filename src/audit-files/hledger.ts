/**
 * Exports the ledger as an hledger journal.
 *
 * hledger ends an account name at two spaces and splits it at colons, begins a comment at a
 * semicolon, and reads tags and dates in comments. Text of users that would be read as any of these
 * is escaped.
 */
import type { Journal, JournalLine } from "../resources/journal.ts";
import {
  AccountNames,
  type AccountPath,
  accountPathOf,
  type NamedAccount,
} from "./account-tree.ts";
import {
  accountOf,
  amountOf,
  type JournalFormat,
  type JournalHeader,
  titleOf,
  toOneLine,
} from "./journal-format.ts";

export function hledger({ organisation, currency, basis, accounts }: JournalHeader): JournalFormat {
  const names = new AccountNames(nameOf);
  const declaration = (account: NamedAccount): string => {
    const { name, isNew } = names.of(account);
    return isNew ? `account ${name}  ; type: ${accountPathOf(account).type}\n` : "";
  };
  const posting = (line: JournalLine): string => {
    const { name } = names.of(accountOf(line));
    const note = commentOf(line);
    const comment = note === "" ? "" : `  ; ${note}`;
    return `    ${name}  ${amountOf(line.NetAmount)} ${currency}${comment}\n`;
  };
  return {
    head: [
      `; The ledger of ${toOneLine(organisation)}, ${basis} basis.\n\n`,
      `decimal-mark .\ncommodity 1000.00 ${currency}\n\n`,
      ...accounts.map(declaration),
    ].join(""),
    journal: (journal) => {
      const late = journal.JournalLines.map((line) => declaration(accountOf(line))).join("");
      const { JournalDate, JournalNumber, JournalLines } = journal;
      const title = plainText(titleOf(journal));
      return [
        late === "" ? "" : `\n${late}`,
        `\n${`${JournalDate} (${JournalNumber}) ${title}`.trimEnd()}  ; ${tagsOf(journal)}\n`,
        ...JournalLines.map(posting),
      ].join("");
    },
  };
}

function nameOf({ code, name }: NamedAccount, { root, branch }: AccountPath): string {
  const ownName = toOneLine(`${code ?? ""} ${name}`)
    .replaceAll(":", "-")
    .replaceAll(";", ",");
  // hledger reads a name wholly in brackets as a virtual posting; the root before the name prevents
  // that.
  return [root, ...(branch === undefined ? [] : [branch]), ownName].join(":");
}

function tagsOf({ JournalID, SourceID }: Journal): string {
  return [
    `journal-id:${JournalID}`,
    ...(SourceID === undefined ? [] : [`source-id:${SourceID}`]),
  ].join(", ");
}

function commentOf({ Description, TaxType, TaxAmount, TrackingCategories }: JournalLine): string {
  const described = plainText(Description);
  return [
    ...(described === "" ? [] : [described]),
    ...(TaxType === undefined ? [] : [`tax:${tagValue(TaxType)}`]),
    ...(TaxType === undefined ? [] : [`tax-amount:${amountOf(TaxAmount)}`]),
    // The prefix keeps a category named `date` from being read as hledger's tag for the posting
    // date.
    ...TrackingCategories.map(
      ({ Name = "", Option = "" }) => `tracking-${tagName(Name)}:${tagValue(Option)}`,
    ),
  ].join(", ");
}

/** Replaces characters that begin comments, tags or dates in hledger. */
function plainText(text: string): string {
  return toOneLine(text)
    .replaceAll(";", ",")
    .replaceAll(":", "-")
    .replaceAll("|", "/")
    .replaceAll("[", "(")
    .replaceAll("]", ")");
}

/** Cleans the value of a tag, which hledger ends at a comma. */
function tagValue(text: string): string {
  return plainText(text).replaceAll(",", " ");
}

function tagName(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "-");
}
