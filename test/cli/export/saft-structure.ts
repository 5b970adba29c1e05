/**
 * The structure of a SAF-T file as the OECD's guidance 2.0 describes it: names, order, how often,
 * and how long. A reading of that description, no schema of the OECD's: none is published that could
 * be kept here.
 */
import { XMLParser } from "fast-xml-parser";

/** One element a line, indented under its parent: `Name`, then `?`, `*` or `+`, then what it holds. */
const structure = `
AuditFile
  Header
    AuditFileVersion code
    AuditFileCountry country
    AuditFileRegion? code
    AuditFileDateCreated date
    SoftwareCompanyName text70
    SoftwareID text256
    SoftwareVersion text18
    Company
      RegistrationNumber text35
      Name text70
      Address+
        $address
      Contact+
        ContactPerson
          FirstName text35
          LastName text70
        Telephone? text18
        Fax? text18
        Email? text70
        Website? text256
      TaxRegistration*
        TaxRegistrationNumber text35
        TaxType? code
        TaxNumber? text35
    DefaultCurrencyCode currency
    SelectionCriteria?
      TaxReportingJurisdiction? text35
      CompanyEntity? text70
      SelectionStartDate date
      SelectionEndDate date
    HeaderComment? text256
    TaxAccountingBasis text18
    TaxEntity? text70
  MasterFiles?
    GeneralLedgerAccounts?
      Account+
        AccountID text70
        AccountDescription text256
        StandardAccountID? text35
        GroupingCategory? text35
        GroupingCode? text35
        AccountType text18
        AccountCreationDate? date
        OpeningDebitBalance|OpeningCreditBalance money
        ClosingDebitBalance|ClosingCreditBalance money
    Customers?
      Customer+
        RegistrationNumber? text35
        Name text70
        Address+
          $address
        TaxRegistration*
          TaxRegistrationNumber text35
        CustomerID text35
        SelfBillingIndicator? code
        AccountID? text70
        OpeningDebitBalance|OpeningCreditBalance money
        ClosingDebitBalance|ClosingCreditBalance money
    Suppliers?
      Supplier+
        RegistrationNumber? text35
        Name text70
        Address+
          $address
        TaxRegistration*
          TaxRegistrationNumber text35
        SupplierID text35
        SelfBillingIndicator? code
        AccountID? text70
        OpeningDebitBalance|OpeningCreditBalance money
        ClosingDebitBalance|ClosingCreditBalance money
    TaxTable?
      TaxTableEntry+
        TaxType code
        Description text256
        TaxCodeDetails+
          TaxCode code
          EffectiveDate? date
          ExpirationDate? date
          Description? text256
          TaxPercentage? decimal
          Country country
          Region? code
    AnalysisTypeTable?
      AnalysisTypeTableEntry+
        AnalysisType code
        AnalysisTypeDescription text256
        AnalysisID text35
        AnalysisIDDescription text256
  GeneralLedgerEntries?
    NumberOfEntries count
    TotalDebit money
    TotalCredit money
    Journal*
      JournalID text18
      Description text256
      Type code
      Transaction*
        TransactionID text70
        Period count
        PeriodYear count
        TransactionDate date
        SourceID? text35
        TransactionType? text18
        Description text256
        BatchID? text35
        SystemEntryDate date
        GLPostingDate date
        CustomerID? text35
        SupplierID? text35
        SystemID? text18
        Line+
          RecordID text18
          AccountID text70
          Analysis*
            $analysis
          ValueDate? date
          SourceDocumentID? text35
          CustomerID? text35
          SupplierID? text35
          Description text256
          DebitAmount|CreditAmount
            $amount
          TaxInformation*
            $tax
  SourceDocuments?
    SalesInvoices?
      $invoices CustomerInfo CustomerID
    PurchaseInvoices?
      $invoices SupplierInfo SupplierID
    Payments?
      NumberOfEntries count
      TotalDebit money
      TotalCredit money
      Payment+
        PaymentRefNo text35
        Period? count
        PeriodYear? count
        TransactionID? text70
        TransactionDate date
        PaymentMethod? code
        Description text256
        Line+
          LineNumber? text18
          SourceDocumentID? text35
          AccountID? text70
          Analysis*
            $analysis
          CustomerID? text35
          SupplierID? text35
          TaxPointDate? date
          Description? text256
          DebitCreditIndicator side
          PaymentLineAmount
            $amount
          TaxInformation*
            $tax
        DocumentTotals?
          TaxInformationTotals*
            $tax
          NetTotal? money
          GrossTotal money
`;

const parts: Readonly<Record<string, string>> = {
  $address: `
StreetName? text70
Number? text18
AdditionalAddressDetail? text70
Building? text35
City text35
PostalCode text18
Region? text35
Country? country`,
  $amount: `
Amount money
CurrencyCode? currency
CurrencyAmount? money
ExchangeRate? decimal`,
  $analysis: `
AnalysisType code
AnalysisID text35`,
  $tax: `
TaxType? code
TaxCode? code
TaxPercentage? decimal
TaxBase? money
TaxBaseDescription? text70
TaxAmount
  $amount`,
  $invoices: `
NumberOfEntries count
TotalDebit money
TotalCredit money
Invoice+
  InvoiceNo text70
  %1?
    %2|Name text70
    BillingAddress
      $address
  AccountID? text70
  Period? count
  PeriodYear? count
  InvoiceDate date
  InvoiceType? code
  Line+
    LineNumber? text18
    AccountID? text70
    Analysis*
      $analysis
    GoodsServicesID? code
    ProductCode? text70
    ProductDescription? text256
    Quantity? decimal
    InvoiceUOM? code
    UnitPrice money
    TaxPointDate date
    Description text256
    InvoiceLineAmount
      $amount
    DebitCreditIndicator side
    TaxInformation*
      $tax
  DocumentTotals?
    TaxInformationTotals*
      $tax
    NetTotal money
    GrossTotal money`,
};

const text = (max: number) => new RegExp(`^.{1,${max}}$`, "u");
const kinds: Readonly<Record<string, RegExp>> = {
  code: text(9),
  text18: text(18),
  text35: text(35),
  text70: text(70),
  text256: text(256),
  country: /^[A-Z]{2}$/,
  currency: /^[A-Z]{3}$/,
  date: /^\d{4}-\d\d-\d\d$/,
  count: /^\d+$/,
  money: /^-?\d{1,16}\.\d\d$/,
  decimal: /^-?\d{1,14}(\.\d{1,8})?$/,
  side: /^[DC]$/,
};

interface Wanted {
  /** Several where it is a choice. */
  readonly names: readonly string[];
  readonly often: "" | "?" | "*" | "+";
  readonly kind: string | undefined;
  readonly children: Wanted[];
}

function lines(source: string, indent = ""): string[] {
  return source
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line) => {
      const [, space = "", part = "", given = ""] = /^( *)(\$\w+)?(.*)$/.exec(line) ?? [];
      if (part === "") return [indent + line];
      const [first = "", second = ""] = given.trim().split(" ");
      const body = (parts[part] as string).replaceAll("%1", first).replaceAll("%2", second);
      return lines(body, indent + space);
    });
}

function wanted(source: string): Wanted {
  const root: Wanted = { names: [], often: "", kind: undefined, children: [] };
  const path: Wanted[] = [root];
  for (const line of lines(source)) {
    const depth = (line.length - line.trimStart().length) / 2;
    const [, names = "", often = "", kind] =
      /^([\w|]+)([?*+]?)(?: (\w+))?$/.exec(line.trim()) ?? [];
    const made: Wanted = { names: names.split("|"), often: often as "", kind, children: [] };
    path.length = depth + 1;
    path[depth]?.children.push(made);
    path.push(made);
  }
  return root;
}

export interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Element[];
}

/** Parses XML with the order of its elements. */
export function parsed(xml: string): Element {
  const parser = new XMLParser({ preserveOrder: true, parseTagValue: false, trimValues: true });
  // biome-ignore lint/suspicious/noExplicitAny: the parser's own form.
  const convert = (nodes: any[]): Element[] =>
    nodes
      .filter((node) => !("#text" in node))
      .map((node) => {
        const name = Object.keys(node).find((key) => key !== ":@") as string;
        const own = node[name];
        // biome-ignore lint/suspicious/noExplicitAny: likewise.
        const inner = own.filter((each: any) => "#text" in each).map((each: any) => each["#text"]);
        return { name, text: inner.join(""), children: convert(own) };
      });
  const [root] = convert(parser.parse(xml)).filter(({ name }) => !name.startsWith("?"));
  return root as Element;
}

/** What is not as described, a sentence each. */
export function structureFaults(root: Element): string[] {
  const faults: string[] = [];
  check(wanted(structure).children, [root], "", faults);
  return faults;
}

function check(
  expected: readonly Wanted[],
  found: readonly Element[],
  path: string,
  faults: string[],
): void {
  let at = 0;
  for (const { names, often, kind, children } of expected) {
    let count = 0;
    while (at < found.length && names.includes((found[at] as Element).name)) {
      const element = found[at] as Element;
      const here = `${path}/${element.name}`;
      if (children.length > 0) check(children, element.children, here, faults);
      else if (!(kinds[kind ?? ""] as RegExp).test(element.text)) {
        faults.push(`${here} is "${element.text}", no ${kind}`);
      }
      count += 1;
      at += 1;
    }
    if (count === 0 && (often === "" || often === "+")) faults.push(`${path} lacks ${names}`);
    if (count > 1 && (often === "" || often === "?")) faults.push(`${path} has ${count} ${names}`);
  }
  const rest = found.slice(at).map(({ name }) => name);
  if (rest.length > 0) faults.push(`${path} has ${rest[0]} where it may not stand`);
}
