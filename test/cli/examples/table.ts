/** The examples of help and of its topics, and what each finds on a fresh copy of the sample company. */
import { topics } from "../../../src/cli/framework/topics.ts";
import type { Country } from "../../../src/ledger/regions/index.ts";
import { walk, wholeTree } from "../tree.ts";

/** Every line once. */
export async function allExamples(): Promise<string[]> {
  const lines = Object.values(topics).flatMap(({ examples }) => examples);
  for (const { node } of walk(await wholeTree())) {
    if (node.kind === "command") lines.push(...node.examples);
  }
  return [...new Set(lines)];
}

/** Lines that no test can run on its own, by their beginnings, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  "acct mcp": "serves until it is ended: test/mcp",
  "acct serve": "serves until it is ended",
  "acct view": "serves until it is ended, and opens a browser",
  "acct record": "records until it is ended",
  "acct compare": "needs a recording",
  "acct webhook listen": "listens until it is ended",
  "acct plan approve": "needs another person of a served book",
  "acct webhook resend": "a delivery comes of a server",
  "acct webhook validate": "asks a server of the subscriber",
  "acct webhook enable": "asks a server of the subscriber",
  "acct webhook trigger": "asks a server of the subscriber",
  "acct book backup /mnt/stick": "writes to a drive",
  "acct invoice open": "opens a browser",
  "acct credit-note open": "opens a browser",
  "acct quote open": "opens a browser",
  "acct auth login": "signs in at a service",
  "acct auth logout": "ends a session at a service",
  "acct auth refresh": "renews a session at a service",
  "acct auth status": "asks a service",
  "curl -H": "asks a service",
  "acct profile add cafe": "names an organisation of a service",
  "acct book backup /mnt/backups --every": "goes on until it is ended",
  "acct book restore /mnt/backups": "needs a folder of backups of that day",
  "acct completion fish": "a shell of its own",
  "acct completion powershell": "a shell of its own",
  "source <(acct completion zsh": "a shell of its own",
};
/** Lines that ask a person at a terminal. */
const asks = new Set([
  "acct init",
  "acct invoice create",
  "acct bank reconcile 090",
  "acct init --name 'Blue Kiln Ltd' --country NZ --database postgres://localhost/books",
]);

/** Why a line is not run; undefined of one that is. */
export function whyNot(line: string): string | undefined {
  if (asks.has(line)) return "asks at a terminal";
  if (line.includes("postgres://")) return "needs a PostgreSQL server";
  return Object.entries(notRun).find(([start]) => line.startsWith(start))?.[1];
}

/** The country whose sample company knows the command. */
export function countryOf(line: string): Country {
  if (/ 1099/.test(line)) return "US";
  const [, word = ""] = /^acct (?:report|explain) (\S+)/.exec(line) ?? [];
  if (/\bcis\b/.test(line)) return "GB";
  const ofReturns: Readonly<Record<string, Country>> = {
    bas: "AU",
    vat: "GB",
    "gst-hst": "CA",
    "gst-f5": "SG",
    vat201: "ZA",
    "ust-va": "DE",
    ca3: "FR",
    "ec-sales": "FR",
  };
  return ofReturns[word] ?? "NZ";
}

const user =
  "printf kiln-and-clay-and-glaze | acct user add ana@heron.example --name Ana --role standard --password-stdin";
const hook = "acct webhook add https://shop.example/hook --events invoice,contact";
const receipt = 'acct expense 42.50 "Taxi" --by "Ana Reid" --to 404';
const claim = 'acct expense submit "Ana Reid"';
const newBook =
  "rm books.acct; acct init --name Kiln --country NZ; acct contact create --name 'Kauri Hotel'; acct account create --code 090 --name Giro --type BANK --bank-account-number 12-3456-7890123-00; acct item create --code LAMP --inventory-asset-account-code 630 --cogs-account 310";
const opening =
  "acct opening set trial-balance.csv --date 2026-03-31 --documents open.csv --stock stock.csv";
const key = "mkdir -p ~/.ssh; ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519";
const signers = "printf 'ann %s\\n' \"$(cat ~/.ssh/id_ed25519.pub)\" > signers";

/** What was done before, by the beginning of a line. */
const before: readonly (readonly [RegExp, string])[] = [
  [/^acct init /, "rm books.acct"],
  [/^acct bank release/, "acct bank unmatch 1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d25"],
  [/^acct branding delete/, "acct branding create 'In dollars'"],
  [/^acct expense (discard|submit)/, receipt],
  [
    /^acct budget (update|delete) North/,
    "acct budget create --type TRACKING --description North --tracking 'Studio:North Quay'",
  ],
  [/^acct expense (list|show|approve|decline|pay|void|history|note)/, `${receipt}; ${claim}`],
  [/^acct expense (pay|void)/, "acct expense approve EC-1"],
  [/^acct report show/, "acct report gst --publish --yes"],
  [/^acct report ca3 --journal/, "acct report ca3 --publish --yes"],
  [/^acct undo --yes/, "acct contact update 'Dune Cafe' --mobile 5550142"],
  [/^acct explain refusal/, "acct invoice delete INV-0204 --yes || true"],
  [/^acct (apply|plan) /, "acct contact create --name Tea --plan tea.plan"],
  [/^acct plan (show|apply|withdraw) 1/, "acct plan submit tea.plan"],
  [/^acct user (show|role|password|reset|unlock|remove) ana/, user],
  [/^acct webhook (show|key|remove|disable|deliveries)/, hook],
  [/^acct profile (use|show|remove) shop/, "acct profile add shop --book shop.acct"],
  [/ --profile quay/, "acct profile add quay --book quay.acct"],
  [/^acct policy (set|show|remove) Helper/, "acct app add Helper --kind agent"],
  [/^acct policy (show|remove) Helper/, "acct policy set Helper --may plan"],
  [/^acct app (remove|secret) 'Till/, "acct app add 'Till at the door'"],
  [
    /^acct app update Shop/,
    "acct app add Shop --kind web --redirect-uri https://shop.example/back",
  ],
  [/acct app token till/, "acct app add till --book quay.acct"],
  [/^acct (?:export )?opening/, newBook],
  [/^acct (?:opening (?:show|remove)|export opening)/, opening],
  [
    /^acct explain ec-sales/,
    'acct contact create --name Kranich --tax-number DE136695976; acct invoice create --contact Kranich --date $(date -d "$(date +%Y-%m-15) -1 month" +%F) --due-date 2030-01-31 --status AUTHORISED --line description=Cups,unit-amount=100,account=707100,tax=ECOUTPUT',
  ],
  [/^acct (report|explain) 1099/, "acct report 1099-boxes --map 612=NEC:1"],
  [
    /^acct attachment (get|remove)/,
    "for on in bill:S-1111 invoice:INV-0204; do acct attachment add receipt.pdf --on $on; done; rm receipt.pdf; mkdir receipts",
  ],
  [
    /--mapping shop.json/,
    "acct import invoices shop.csv --map InvoiceNumber=Order --map 'Contact.Name=Customer {No:integer}' --set AccountCode=200 --date-format DD/MM/YYYY --create-contacts --save-mapping shop.json --yes --book quay.acct; acct contact create --name 'Customer 7'",
  ],
  [
    /--mapping giro.json/,
    "acct bank import giro.csv --account 091 --map date=Tag --map amount=Wert --save-mapping giro.json",
  ],
  [
    /^acct import (?:folder|books)/,
    "acct export folder books-2026; rm books.acct; acct init --name Copy --country NZ; cp books.acct copy.acct",
  ],
  [/import-e-invoice/, "acct contact create --name 'Tern & Tide Pottery'"],
  [
    /^acct bill import-e-invoice/,
    "acct invoice e-invoice INV-0204 --format ubl --output-file invoice.xml; acct invoice e-invoice INV-0204 --format facturx --output-file scan.pdf",
  ],
  [
    /^acct credit-note import-e-invoice/,
    "acct credit-note e-invoice CN-0002 --format ubl --output-file invoice.xml; acct credit-note e-invoice CN-0002 --format facturx --output-file scan.pdf",
  ],
  [/ march\/\*\.xml/, "mkdir march; cp camt.xml march/1.xml"],
  [/^acct book (seal --sign|verify --since)/, key],
  [/^acct book verify --since/, signers],
  [/^acct book verify --since/, "acct book seal --sign ~/.ssh/id_ed25519 > quay.seal"],
  [
    /^acct book restore quay.2026/,
    "acct book backup quay.2026-03-05.backup --book quay.acct; rm quay.acct",
  ],
];

/** The lines that come before one, in their order. */
export function linesBefore(line: string): string[] {
  return before.flatMap(([of, first]) => (of.test(line) ? [first] : []));
}

const csv = (...rows: readonly string[]) => `${rows.join("\n")}\n`;
const document = {
  Contact: { Name: "Kauri Hotel" },
  Date: "2026-03-01",
  LineItems: [{ Description: "Mugs", Quantity: 10, UnitAmount: 15, AccountCode: "200" }],
};
const json = (value: object) => JSON.stringify(value);

const documentHead = "Number,Contact.Name,Date,DueDate,Description,Quantity,UnitAmount,AccountCode";

const camt =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><Othr><Id>12-3140-0171323-50</Id></Othr></Id></Acct>' +
  ["OPBD", "CLBD"]
    .map(
      (code, at) =>
        `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="NZD">${100 - 12 * at}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-31</Dt></Dt></Bal>`,
    )
    .join("") +
  '<Ntry><Amt Ccy="NZD">12.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-31</Dt></BookgDt><NtryRef>1</NtryRef></Ntry></Stmt></BkToCstmrStmt></Document>';
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const ofx =
  "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>NZD<BANKACCTFROM><BANKID>123140<ACCTID>017132350<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260301<DTEND>20260331<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260305<TRNAMT>-12.00<FITID>1<NAME>Post Office</STMTTRN></BANKTRANLIST><LEDGERBAL><BALAMT>1520.30<DTASOF>20260331</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n";
/** Accounts that the sample posts to. */
const coded = "090 091 200 300 310 412 425 445 469 489 610 630 710 800 820 835 960".split(" ");

/** The files that examples name. */
export const files: Readonly<Record<string, string | Uint8Array>> = {
  "invoice.json": json(document),
  "bill.json": json({ ...document, InvoiceNumber: "B-77" }),
  "credit-note.json": json({ ...document, Type: "ACCRECCREDIT" }),
  "quote.json": json(document),
  "purchase-order.json": json(document),
  "bank-transaction.json": json({ ...document, Type: "SPEND", BankAccount: { Code: "090" } }),
  "transfer.json": json({
    FromBankAccount: { Code: "090" },
    ToBankAccount: { Code: "091" },
    Amount: 50,
  }),
  "item.json": json({ Code: "JUG", Name: "Jug" }),
  "sales.csv": csv(
    documentHead.replace("Number", "InvoiceNumber"),
    "S-1,Kauri Hotel,2026-03-01,2026-03-21,Mugs,2,15.00,200",
  ),
  "bills.csv": csv(
    documentHead.replace("Number", "InvoiceNumber").replaceAll(",", ";"),
    "S-1;Kauri Hotel;01.03.2026;21.03.2026;Clay;2;15,50;300",
  ),
  "shop.csv": csv(
    "Order,Customer,No,Date,DueDate,Description,Quantity,UnitAmount",
    "1001,Acme,7,05/03/2026,25/03/2026,Desk,1,350.00",
  ),
  "credits.csv": csv(
    "CreditNoteNumber,Type,Contact.Name,Date,Description,Quantity,UnitAmount,AccountCode",
    "C-9,ACCRECCREDIT,Kauri Hotel,2026-03-01,Mugs,2,15.00,200",
  ),
  "quotes.csv": csv(
    "QuoteNumber,Contact.Name,Date,Description,Quantity,UnitAmount,AccountCode",
    "Q-9,Kauri Hotel,2026-03-01,Mugs,2,15.00,200",
  ),
  "orders.csv": csv(
    "PurchaseOrderNumber,Contact.ContactNumber,Date,Description,Quantity,UnitAmount,AccountCode",
    "P-9,C021,2026-03-01,Glaze,2,15.00,300",
  ),
  "customers.csv": csv("Name,EmailAddress", "Kauri Hotel,desk@kauri.example"),
  "price-list.csv": csv("Code,Title", "TILE,Glazed tile"),
  "taxes.csv": csv(
    "Name,ReportTaxType,TaxComponents",
    'City levy,OUTPUT,"[{""Name"":""Levy"",""Rate"":2.5}]"',
  ),
  "currencies.csv": csv("Code", "USD"),
  "rates.csv": csv("Currency,Date,Rate", "EUR,2026-03-02,0.52"),
  "kurse.csv": csv("Currency;Date;Rate", "EUR;02.03.2026;0,52"),
  "chart.csv": csv("Code,Name,Type", "266,Firing,REVENUE"),
  "tracking.csv": csv("Name,Options", 'Region,"[{""Name"":""North""}]"'),
  "bank.csv": csv(
    "BankTransactionID,Type,BankAccount.Code,Contact.Name,Date,Description,Quantity,UnitAmount,AccountCode",
    "t1,SPEND,090,Coastline Freight,2026-03-01,Parcels,1,15.00,425",
  ),
  "receipts.csv": csv("Invoice.InvoiceNumber,Date,Amount", "INV-0204,2026-11-14,100.00"),
  "transfers.csv": csv(
    "BankTransferID,FromBankAccount.Code,ToBankAccount.Code,Amount,Date",
    "t1,090,091,50.00,2026-03-01",
  ),
  "journals.csv": csv(
    "ManualJournalID,Narration,Date,LineAmount,AccountCode",
    "j1,Power,2026-03-01,80.00,445",
    "j1,Power,2026-03-01,-80.00,489",
  ),
  "register.csv": csv(
    "AssetNumber,Name,PurchaseDate,Cost,Life,AccumulatedAccount.Code",
    "FA-9,Scale,15/01/2026,300.00,3,711",
  ),
  "budgets.csv": csv("BudgetID,Type,AccountCode,Period,Amount", "b1,OVERALL,200,2026-04,4200.00"),
  "plan.csv": csv("Account,2026-03,2026-04", "200,4500.00,4200.00"),
  "rules.csv": csv(
    "Name,Conditions,Contact.Name,Lines",
    'Power,"[{""Field"":""text"",""Value"":""power""}]",Southern Lines Energy,"[{""AccountCode"":""445""}]"',
  ),
  "statements.csv": csv(
    "BankStatementID,BankAccount.Code,FromDate,ToDate,Key,Date,Amount,Payee",
    "s1,090,2026-03-01,2026-03-01,k1,2026-03-01,-12.00,Post Office",
  ),
  "trial-balance.csv": csv(
    "Code,Debit,Credit",
    "090,1000.00,",
    "610,115.00,",
    "630,620.00,",
    "900,,1735.00",
  ),
  "open.csv": csv(
    "Type,Number,Contact,Date,Due Date,Amount,Tax,Account,Tax Type",
    "invoice,O-1,Kauri Hotel,2024-11-20,2024-12-20,115.00,15.00,200,OUTPUT2",
  ),
  "stock.csv": csv("Code,Quantity,Value", "LAMP,10,620.00"),
  "balances.csv": csv("Code,Debit,Credit", "090,1000.00,", "900,,1000.00"),
  "skr03.csv": csv("Code,Number", ...coded.map((code) => `${code},8${code}`)),
  "pcg.csv": csv("Code,Number", ...coded.map((code) => `${code},6${code}00`)),
  "password.txt": "kiln-and-clay-and-glaze",
  "statement.ofx": ofx,
  "march.ofx": ofx,
  "camt.xml": camt,
  "march.qif": "!Type:Bank\nD31/03/2026\nT-20.30\nPPost Office\n^\n",
  "giro.csv": csv("Tag;Wert;Text", "02.03.2026;-12,00;Post"),
  "photo.jpg": png,
  "logo.png": png,
  "receipt.pdf": "%PDF-1.4\n%%EOF\n",
  "giro-april.csv": csv("Tag;Wert;Text", "02.04.2026;-13,00;Post"),
};
