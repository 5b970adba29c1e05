/**
 * SAF-T, the Standard Audit File for Tax of the OECD, in version 2.00.
 *
 * Amounts are in base currency, with the foreign amount beside them where there is one. Texts and
 * codes are truncated to the lengths in the schema, and truncated codes stay unique.
 *
 * @source OECD, Guidance for the Standard Audit File - Tax, version 2.0, appendix B
 */
import { dayIn } from "../../ledger/dates/timezones.ts";
import { regionAt, regionOf } from "../../ledger/regions/index.ts";
import { ScratchLines } from "../../platform/scratch-file.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import type { AccountMap } from "../account-map.ts";
import type { AuditFile } from "../audit-file.ts";
import { LackError, type Wording } from "../lack.ts";
import { type DayBook, dayBooks, type Entry, type EntryLine } from "../ledger/entry.ts";
import {
  addressOf,
  type Master,
  type PartyDetails,
  type PostalAddress,
  phoneOf,
} from "../ledger/master.ts";
import {
  closingOf,
  controlledBy,
  type Ledger,
  type LedgerAccount,
  type Movement,
  type Party,
  standsOn,
} from "../ledger/read-ledger.ts";
import { addressElement, amountElement, money, SaftCodes } from "./codes.ts";
import { element, textElement } from "./saft-xml.ts";
import { documentSections } from "./source-documents.ts";

const namespace = "urn:OECD:StandardAuditFile-Taxation/2.00";

export interface SaftOptions {
  readonly country?: string | undefined;
  readonly registrationNumber?: string | undefined;
  readonly contactPerson?: string | undefined;
  readonly accountMap?: AccountMap | undefined;
}

export interface SaftFacts {
  readonly organisation: Organisation;
  readonly period: { readonly from: string; readonly to: string };
  readonly master: Master;
  /** 1 */
  readonly now: number;
  /** Version of this program. */
  readonly version: string;
}

interface Header {
  readonly country: string;
  readonly registrationNumber: string;
  readonly contactPerson: { readonly first: string; readonly last: string };
}

/** Creates the file. @throws UsageError `NoHeader` with all values that the book lacks */
export function saft(saftFacts: SaftFacts, options: SaftOptions): AuditFile {
  const header = headerFacts(saftFacts.organisation, options);
  const { from, to } = saftFacts.period;
  return {
    name: `SAF-T_${header.registrationNumber.replace(/[^0-9A-Za-z]+/g, "")}_${from}_${to}.xml`,
    charset: "utf-8",
    prepare: (ledger) => {
      const writer = new SaftWriter(
        saftFacts,
        header,
        ledger,
        standardNumbers(ledger, options.accountMap),
      );
      return { text: () => writer.file(), notes: () => writer.notes };
    },
  };
}

/** Facts of the header; the country is known only for an organisation with a region of its own. */
function headerFacts(organisation: Organisation, options: SaftOptions): Header {
  const { CountryCode, RegistrationNumber, Addresses = [] } = organisation;
  const isKnown = regionAt(CountryCode) !== regionOf("GLOBAL");
  const country = options.country ?? (isKnown ? CountryCode : undefined);
  const registrationNumber = options.registrationNumber ?? RegistrationNumber;
  const [attention] = Addresses.flatMap(({ AttentionTo }) => AttentionTo ?? []);
  const contactPerson = nameOf(options.contactPerson ?? attention);
  const hasAddress = isComplete(addressOf(Addresses));
  const lacking = ({ option, bookField: kept }: Wording) => [
    ...(country === undefined ? [`its country, as ${option("country", "LU")}`] : []),
    ...(registrationNumber === undefined
      ? [
          `its number in the register of companies, as ${option("registrationNumber", "NUMBER")} or with ${kept("organisation update --registration-number", "RegistrationNumber of the organisation")}`,
        ]
      : []),
    ...(contactPerson === undefined
      ? [`whom to ask, as ${option("contactPerson", '"First Last"')}`]
      : []),
    ...(hasAddress
      ? []
      : [
          `its address, as ${kept("organisation update --address 'street=4 Heron Lane,city=Wellington,postcode=6011' says it", "Addresses of the organisation, with street, city and postcode")}`,
        ]),
  ];
  if (
    country === undefined ||
    registrationNumber === undefined ||
    contactPerson === undefined ||
    !hasAddress
  ) {
    throw new LackError(
      "NoHeader",
      (wording) =>
        `A SAF-T file says of the company what the book does not know: ${lacking(wording).join("; ")}.`,
    );
  }
  if (!/^[A-Z]{2}$/.test(country)) {
    throw new LackError(
      "BadValue",
      ({ option }) => `${option("country")} takes two letters such as LU, not "${country}".`,
    );
  }
  return { country, registrationNumber, contactPerson };
}

function nameOf(text: string | undefined) {
  const [, first, last] = /^(\S.*)\s+(\S+)$/.exec(text?.trim() ?? "") ?? [];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** Account numbers in the standard chart of the country, by AccountID. */
function standardNumbers(
  { accounts }: Ledger,
  map: AccountMap | undefined,
): ReadonlyMap<string, string> {
  const numberByAccount = new Map<string, string>();
  for (const { row, code, name, number } of map?.rows ?? []) {
    const account = accounts
      .values()
      .find((account) => (code === undefined ? account.name === name : account.code === code));
    if (account === undefined) {
      throw new UsageError(
        "BadAccountMap",
        `${map?.path}: row ${row}: the book has no account ${code ?? name ?? "without code and name"}.`,
      );
    }
    numberByAccount.set(account.id, number);
  }
  return numberByAccount;
}

const accountTypes = {
  assets: "Asset",
  liabilities: "Liability",
  equity: "Equity",
  revenues: "Sale",
  expenses: "Expense",
} as const;

const bookNames = {
  sales: "Sales",
  purchases: "Purchases",
  bank: "Bank and cash",
  payroll: "Payroll",
  general: "General",
} as const satisfies Record<DayBook, string>;

// --- the file -----------------------------------------------------------------------------------

class SaftWriter {
  readonly #facts: SaftFacts;
  readonly #header: Header;
  readonly #ledger: Ledger;
  readonly #standard: ReadonlyMap<string, string>;
  readonly notes: string[] = [];

  constructor(
    saftFacts: SaftFacts,
    header: Header,
    ledger: Ledger,
    standardNumbersById: ReadonlyMap<string, string>,
  ) {
    this.#facts = saftFacts;
    this.#header = header;
    this.#ledger = ledger;
    this.#standard = standardNumbersById;
  }

  async *file(): AsyncGenerator<string> {
    const { master } = this.#facts;
    const rateByType = new Map((await master.taxRates()).map((rate) => [rate.TaxType ?? "", rate]));
    const codes = new SaftCodes(this.#ledger, rateByType);
    yield `<?xml version="1.0" encoding="UTF-8"?>\n<AuditFile xmlns="${namespace}">\n`;
    yield `${this.#headerElement(codes)}\n<MasterFiles>\n`;
    yield* this.#accounts();
    const details = await master.parties((id) => isListed(this.#ledger.parties.get(id)));
    yield* this.#parties(codes, details);
    yield* taxTable(this.#ledger, codes, rateByType, this.#header.country);
    yield* analysisTable(this.#ledger, codes);
    yield "</MasterFiles>\n";
    yield* this.#entries(codes);
    yield* documentSections({ ledger: this.#ledger, codes, master, detailsById: details });
    yield "</AuditFile>\n";
  }

  #headerElement(codes: SaftCodes): string {
    const { organisation, now, version, period } = this.#facts;
    const { country, registrationNumber, contactPerson } = this.#header;
    const { Name, LegalName, TaxNumber, Addresses = [], Phones = [] } = organisation;
    const { SalesTaxBasis, BaseCurrency } = organisation;
    const isCash = ["PAYMENTS", "CASH", "FLATRATECASH"].includes(SalesTaxBasis);
    return element(
      "Header",
      textElement("AuditFileVersion", "2.00", 9),
      textElement("AuditFileCountry", country, 2),
      element("AuditFileDateCreated", dayIn(now, organisation.Timezone)),
      textElement("SoftwareCompanyName", "acct", 70),
      textElement("SoftwareID", "acct", 256),
      textElement("SoftwareVersion", version, 18),
      element(
        "Company",
        textElement("RegistrationNumber", registrationNumber, 35),
        textElement("Name", LegalName ?? Name, 70),
        addressElement(addressOf(Addresses)),
        element(
          "Contact",
          element(
            "ContactPerson",
            textElement("FirstName", contactPerson.first, 35),
            textElement("LastName", contactPerson.last, 70),
          ),
          textElement("Telephone", phoneOf(Phones), 18),
        ),
        TaxNumber === undefined
          ? ""
          : element(
              "TaxRegistration",
              textElement("TaxRegistrationNumber", TaxNumber, 35),
              textElement("TaxType", codes.taxName, 9),
            ),
      ),
      textElement("DefaultCurrencyCode", BaseCurrency, 3),
      element(
        "SelectionCriteria",
        element("SelectionStartDate", period.from),
        element("SelectionEndDate", period.to),
      ),
      element("TaxAccountingBasis", isCash ? "Cash Accounting" : "Invoice Accounting"),
    );
  }

  *#accounts(): Generator<string> {
    yield "<GeneralLedgerAccounts>\n";
    for (const account of this.#ledger.accounts.values()) {
      yield `${element(
        "Account",
        textElement("AccountID", account.code ?? account.id, 70),
        textElement("AccountDescription", account.name, 256),
        textElement("StandardAccountID", this.#standard.get(account.id), 35),
        textElement("AccountType", typeOf(account), 18),
        balance("Opening", account.opening),
        balance("Closing", closingOf(account)),
      )}\n`;
    }
    yield "</GeneralLedgerAccounts>\n";
  }

  *#parties(codes: SaftCodes, detailsById: ReadonlyMap<string, PartyDetails>): Generator<string> {
    let withoutAddress = 0;
    for (const [name, plural, side] of [
      ["Customer", "Customers", "customer"],
      ["Supplier", "Suppliers", "supplier"],
    ] as const) {
      const shown = [...this.#ledger.parties.values()].filter((party) => standsOn(party, side));
      if (shown.length === 0) continue;
      const control = this.#ledger.controls[side];
      yield `<${plural}>\n`;
      for (const party of shown) {
        const { address, registrationNumber, taxNumber } = detailsById.get(party.id) ?? {};
        if (!isComplete(address)) withoutAddress += 1;
        yield `${element(
          name,
          textElement("RegistrationNumber", registrationNumber, 35),
          textElement("Name", party.name, 70),
          addressElement(address),
          taxNumber === undefined
            ? ""
            : element("TaxRegistration", textElement("TaxRegistrationNumber", taxNumber, 35)),
          codes.partyElement(party, side),
          control === undefined ? "" : codes.account(control.id),
          partyBalances(party.movements[side]),
        )}\n`;
      }
      yield `</${plural}>\n`;
    }
    if (withoutAddress > 0) {
      this.notes.push(
        `City and postal code of ${withoutAddress === 1 ? "one contact" : `${withoutAddress} contacts`} are not known: a hyphen stands for them.`,
      );
    }
  }

  *#entries(codes: SaftCodes): Generator<string> {
    const { entryCount, debit, credit } = this.#ledger;
    const linesByDayBook = new Map<DayBook, ScratchLines>();
    try {
      for (const entry of this.#ledger.entries()) {
        const lines = linesByDayBook.get(entry.dayBook) ?? new ScratchLines();
        linesByDayBook.set(entry.dayBook, lines);
        lines.add(this.#transaction(entry, codes));
      }
      yield "<GeneralLedgerEntries>\n";
      yield element("NumberOfEntries", String(entryCount));
      yield `${money("TotalDebit", debit)}${money("TotalCredit", credit)}\n`;
      for (const book of dayBooks) {
        const lines = linesByDayBook.get(book);
        if (lines === undefined) continue;
        yield `<Journal>${element("JournalID", book)}${element("Description", bookNames[book])}`;
        yield `${textElement("Type", book, 9)}\n`;
        for (const line of lines.read()) yield `${line}\n`;
        yield "</Journal>\n";
      }
      yield "</GeneralLedgerEntries>\n";
    } finally {
      for (const lines of linesByDayBook.values()) lines.remove();
    }
  }

  #transaction(entry: Entry, codes: SaftCodes): string {
    const { number, date, text, posted, side, sourceType } = entry;
    const party = this.#ledger.parties.get(entry.contact ?? "");
    return element(
      "Transaction",
      element("TransactionID", String(number)),
      element("Period", String(Number(date.slice(5, 7)))),
      element("PeriodYear", date.slice(0, 4)),
      element("TransactionDate", date),
      textElement("TransactionType", sourceType, 18),
      textElement("Description", text, 256),
      element("SystemEntryDate", posted),
      element("GLPostingDate", date),
      codes.partyElement(party, side),
      ...entry.lines.map((line, at) => this.#line(line, at, entry, codes)),
    );
  }

  #line(line: EntryLine, at: number, entry: Entry, codes: SaftCodes): string {
    const { amount: net, taxAmount, taxType, foreign } = line;
    const sign = net < 0 ? -1 : 1;
    const side = controlledBy(this.#ledger.accounts.get(line.account)?.system);
    const party = side !== undefined ? this.#ledger.parties.get(entry.contact ?? "") : undefined;
    return element(
      "Line",
      element("RecordID", String(at + 1)),
      codes.account(line.account),
      codes.analysis(line.tracking),
      entry.sourceType === undefined
        ? ""
        : textElement("SourceDocumentID", entry.document.number, 35),
      codes.partyElement(party, side),
      textElement("Description", line.description || entry.text, 256),
      amountElement(net < 0 ? "CreditAmount" : "DebitAmount", Math.abs(net), foreign),
      codes.taxInformation(taxType, Math.abs(net), sign * taxAmount),
    );
  }
}

function isListed(party: Party | undefined): boolean {
  return party !== undefined && (standsOn(party, "customer") || standsOn(party, "supplier"));
}

function isComplete(address: PostalAddress | undefined): boolean {
  return (address?.city ?? "") !== "" && (address?.postalCode ?? "") !== "";
}

function typeOf(account: LedgerAccount): string {
  return accountTypes[account.root];
}

function balance(point: "Opening" | "Closing", cents: number): string {
  return cents < 0 ? money(`${point}CreditBalance`, -cents) : money(`${point}DebitBalance`, cents);
}

function partyBalances(movement: Movement): string {
  return balance("Opening", movement.opening) + balance("Closing", closingOf(movement));
}

function* taxTable(
  { taxTypes }: Ledger,
  codes: SaftCodes,
  rateByTaxType: ReadonlyMap<string, TaxRate>,
  country: string,
): Generator<string> {
  const usedTaxTypes = new Set([...rateByTaxType.keys(), ...taxTypes]);
  if (usedTaxTypes.size === 0) return;
  yield "<TaxTable>\n<TaxTableEntry>";
  yield `${textElement("TaxType", codes.taxName, 9)}${element("Description", codes.taxName)}\n`;
  for (const taxType of usedTaxTypes) {
    const rate = rateByTaxType.get(taxType);
    yield `${element(
      "TaxCodeDetails",
      textElement("TaxCode", codes.tax(taxType), 9),
      textElement("Description", rate?.Name ?? taxType, 256),
      element("TaxPercentage", writeDecimal(rate?.EffectiveRate ?? 0, 4)),
      element("Country", country),
    )}\n`;
  }
  yield "</TaxTableEntry>\n</TaxTable>\n";
}

function* analysisTable({ tracking }: Ledger, codes: SaftCodes): Generator<string> {
  if (tracking.size === 0) return;
  yield "<AnalysisTypeTable>\n";
  for (const [category, options] of tracking) {
    for (const option of options) {
      const { type, id } = codes.option(category, option);
      yield `${element(
        "AnalysisTypeTableEntry",
        textElement("AnalysisType", type, 9),
        textElement("AnalysisTypeDescription", category, 256),
        textElement("AnalysisID", id, 35),
        textElement("AnalysisIDDescription", option, 256),
      )}\n`;
    }
  }
  yield "</AnalysisTypeTable>\n";
}
