/** A line for every command that can be planned, on the sample company. */

/** Lines that are run before; `NAME=line` keeps what it prints, which `$NAME` stands for later. */
export interface PlannedLine {
  /** Lines that are run before in another copy of the book, whose files the line takes in. */
  readonly elsewhere?: readonly string[];
  /** A new book of this country, instead of the sample company. */
  readonly country?: string;
  readonly before?: readonly string[];
  readonly line: string;
}

const one = "--line description=Mug,unit-amount=100,account=200,tax=OUTPUT2";
const cost = "--line description=Clay,unit-amount=100,account=429,tax=INPUT2";
const customer = "--contact 'Kauri Hotel'";
const supplier = "--contact 'Kiln & Colour'";
const allow = "--allow-duplicate";

const made = (line: string, ...more: string[]): readonly string[] => [`ID=${line} -o id`, ...more];

/** Of documents that are made as drafts, handed in, approved, voided and deleted. */
function ofDocument(
  noun: string,
  create: string,
  change = "--reference Changed",
): Record<string, PlannedLine> {
  const draft = made(`${noun} create ${create} ${allow}`);
  const approved = made(`${noun} create ${create} --status AUTHORISED ${allow}`);
  return {
    [`${noun} create`]: { line: `${noun} create ${create} ${allow}` },
    [`${noun} update`]: { before: draft, line: `${noun} update $ID ${change}` },
    [`${noun} submit`]: { before: draft, line: `${noun} submit $ID` },
    [`${noun} approve`]: { before: draft, line: `${noun} approve $ID` },
    [`${noun} void`]: { before: approved, line: `${noun} void $ID --yes` },
    [`${noun} delete`]: { before: draft, line: `${noun} delete $ID --yes` },
    [`${noun} note`]: { before: draft, line: `${noun} note $ID 'Rang, will call back'` },
  };
}

const sale = `${customer} --date 2026-11-10 ${one}`;
const purchase = `${supplier} --date 2026-11-10 --invoice-number B-1 ${cost}`;
const credit = `${customer} --type ACCRECCREDIT --date 2026-11-10 ${one}`;
const quote = `${customer} --date 2026-11-10 --expiry-date 2026-12-10 ${one}`;
const order = `${supplier} --date 2026-11-10 ${cost}`;
const prepaid = made(
  `bank-transaction create --type RECEIVE-PREPAYMENT ${customer} --bank-account 090 --date 2026-11-10 --line description=Ahead,unit-amount=100,account=200,tax=OUTPUT2`,
);
const overpaid = made(
  `bank-transaction create --type RECEIVE-OVERPAYMENT ${customer} --bank-account 090 --date 2026-11-10 --line description=Over,unit-amount=100`,
);
const owed = `INV=invoice create ${sale} --status AUTHORISED -o id ${allow}`;
const statement = "bank import $HOME/giro.csv --account 090";
const imported = [statement, "LINE=bank lines 090 --order 'Date DESC' --limit 1 -o id"];
const repeated =
  "--contact 'Kauri Hotel' --reference Rent --every 1 --unit MONTHLY --start-date 2026-02-28 " +
  "--due-date 20 --due-date-type OFFOLLOWINGMONTH --status AUTHORISED " +
  "--line description=Rent,unit-amount=150,account=200";
const spent = `--type SPEND ${supplier} --bank-account 090 --date 2026-11-10 ${cost}`;
const transfer = "bank-transfer create --from 090 --to 091 --amount 250 --date 2026-11-10";
const spentBy = "expense 42.50 Taxi --by 'Ana Reid' --to 404 --date 2026-11-10";
export const claimed: readonly string[] = [spentBy, "expense submit 'Ana Reid'"];
const owedClaim = [...claimed, "expense approve EC-1"];
const batch =
  "batch-payment create --account 090 --date 2026-11-16 --pay INV-0216 --pay INV-0217=100";

/** What lines of other verbs begin with. */
export const ofDocuments = {
  statement,
  imported,
  repeated,
  prepaid,
  overpaid,
  spent,
  transfer,
  batch,
  wages:
    "--narration Wages --date 2026-11-10 --line account=477,debit=90 --line account=814,credit=90",
} as const;
const { wages } = ofDocuments;
const shops = ["contact-group create --name Shops"];
const levy =
  "tax-rate create --name 'Eco levy' --component name=Levy,rate=2.5 --report-tax-type OUTPUT";
const region = "tracking create --name Region --option North --option South";
const bank = ["account create --code 090 --name Giro --type BANK --bank-account-number 12-345"];
const kiln =
  "asset add --name Kiln --purchase-date 2026-04-01 --cost 6000 --life 5 --asset-account 710";

/** Of what is paid beyond or before its invoice: it is known by its own id. */
function ofCredit(noun: string, before: readonly string[]): Record<string, PlannedLine> {
  const known = [...before, `CREDIT=${noun} list --status AUTHORISED -o id`];
  return {
    [`${noun} allocate`]: {
      before: [...known, owed],
      line: `${noun} allocate $CREDIT --invoice $INV --amount 50`,
    },
    [`${noun} unallocate`]: {
      before: [...known, owed, `${noun} allocate $CREDIT --invoice $INV --amount 50`],
      line: `${noun} unallocate $CREDIT --invoice $INV --yes`,
    },
    [`${noun} refund`]: {
      before: known,
      line: `${noun} refund $CREDIT --account 090 --amount 20 --date 2026-11-20`,
    },
    [`${noun} void`]: { before: known, line: `${noun} void $CREDIT --yes` },
    [`${noun} note`]: { before: known, line: `${noun} note $CREDIT 'Rang'` },
  };
}

/** A return of a new book that is published. */
function ofReturn(name: string, country: string, period: string): Record<string, PlannedLine> {
  const before = country === "NZ" ? ["organisation update --sales-tax-basis INVOICE"] : [];
  return {
    [`report ${name}`]: {
      country,
      before: [...before, "organisation update --tax-number 123456789 --pays-tax"],
      line: `report ${name} --period ${period} --publish --own-days --yes`,
    },
  };
}

/** A record that another book has more, exported there. */
function ofImport(noun: string, ...lines: readonly string[]): Record<string, PlannedLine> {
  const file = `$HOME/export-${noun}.csv`;
  return {
    [`import ${noun}`]: {
      elsewhere: [...lines, `export ${noun} --output-file ${file}`],
      line: `import ${noun} ${file} --yes`,
    },
  };
}

/** What the sample company lacks to send an e-invoice. */
const sender = [
  "organisation update --tax-number 49-091-850 --registration-number 9429041234563",
  "organisation update --postal-address 'street=1 Quay St,city=Wellington,postcode=6011,country=NZ'",
  "contact create --name Buyer --company-number 9429000106078",
  "contact update Buyer --postal-address 'street=2 Quay St,city=Wellington,postcode=6011,country=NZ'",
];

const url = "--public-url https://books.example";

export const plannedLines: Readonly<Record<string, PlannedLine>> = {
  ...ofDocument("invoice", sale),
  "invoice copy": { line: "invoice copy INV-0217 --date 2026-11-16" },
  "invoice credit": { line: "invoice credit INV-0217 --date 2026-11-16" },
  "invoice email": { line: "invoice email INV-0217" },
  "credit-note email": { line: "credit-note email CN-0002" },
  "quote email": { line: "quote email QU-0001" },
  "purchase-order email": { line: "purchase-order email PO-0001" },
  "payment remittance": { line: "payment remittance S-1108 --email" },
  "batch-payment remittance": { line: "batch-payment remittance BP-1 --email" },
  "invoice remind": { line: "invoice remind INV-0201 --yes" },
  "invoice url": { line: `invoice url INV-0217 --revoke --yes ${url}` },
  "invoice import": { line: "invoice import $HOME/invoices.csv --create-contacts --yes" },
  ...ofDocument("bill", purchase, "--due-date 2026-12-24"),
  "bill copy": { line: "bill copy S-1109 --invoice-number S-9 --date 2026-11-16" },
  "bill import": { line: "bill import $HOME/bills.csv --create-contacts --yes" },
  ...ofDocument("credit-note", credit),
  ...ofCredit("credit-note", [
    `ID=credit-note create ${credit} --status AUTHORISED ${allow} -o id`,
  ]),
  "credit-note url": {
    before: made(`credit-note create ${credit} --status AUTHORISED ${allow}`),
    line: `credit-note url $ID --revoke --yes ${url}`,
  },
  "quote create": { line: `quote create ${quote}` },
  "quote update": { line: "quote update QU-0003 --reference Changed" },
  "quote copy": { line: "quote copy QU-0001 --date 2026-11-16" },
  "quote send": { before: made("quote copy QU-0003"), line: "quote send $ID" },
  "quote accept": { line: "quote accept QU-0002" },
  "quote decline": { line: "quote decline QU-0002" },
  "quote invoice": { line: "quote invoice QU-0001" },
  "quote delete": { line: "quote delete QU-0003 --yes" },
  "quote url": { line: `quote url QU-0002 --revoke --yes ${url}` },
  "quote note": { line: "quote note QU-0002 'Rang'" },
  "purchase-order create": { line: `purchase-order create ${order}` },
  "purchase-order copy": { line: "purchase-order copy PO-0002 --date 2026-11-16" },
  "purchase-order update": { line: "purchase-order update PO-0002 --reference Changed" },
  "purchase-order submit": {
    before: made(`purchase-order create ${order}`),
    line: "purchase-order submit $ID",
  },
  "purchase-order approve": { line: "purchase-order approve PO-0003" },
  "purchase-order bill": { line: "purchase-order bill PO-0002" },
  "purchase-order delete": { line: "purchase-order delete PO-0003 --yes" },
  "purchase-order note": { line: "purchase-order note PO-0003 'Rang'" },
  "repeating-invoice create": { line: `repeating-invoice create ${repeated}` },
  "repeating-invoice update": {
    before: made(`repeating-invoice create ${repeated}`),
    line: "repeating-invoice update $ID --reference Changed",
  },
  "repeating-invoice delete": {
    before: made(`repeating-invoice create ${repeated}`),
    line: "repeating-invoice delete $ID --yes",
  },
  "repeating-invoice run": {
    before: made(`repeating-invoice create ${repeated}`),
    line: "repeating-invoice run",
  },
  "repeating-invoice note": {
    before: made(`repeating-invoice create ${repeated}`),
    line: "repeating-invoice note $ID 'Rang'",
  },
  "linked-transaction create": {
    line: "linked-transaction create --bill S-1109 --bill-line 1 --contact 'Kauri Hotel'",
  },
  "linked-transaction delete": {
    before: made("linked-transaction create --bill S-1109 --bill-line 1 --contact 'Kauri Hotel'"),
    line: "linked-transaction delete $ID --yes",
  },
  "payment apply": {
    line: "payment apply INV-0217 --account 090 --amount 94.40 --date 2026-11-15",
  },
  "payment reverse": {
    before: made("payment apply INV-0217 --account 090 --date 2026-11-15"),
    line: "payment reverse $ID --yes",
  },
  "payment note": { line: "payment note INV-0206 'Rang'" },
  "payment import": { line: "payment import $HOME/payments.csv --set Account.Code=090 --yes" },
  "prepayment create": {
    line: `prepayment create --type RECEIVE-PREPAYMENT --bank-account 090 ${customer} --amount 115`,
  },
  ...ofCredit("prepayment", prepaid),
  "overpayment create": {
    line: `overpayment create --type SPEND-OVERPAYMENT --bank-account 090 ${supplier} --amount 40`,
  },
  ...ofCredit("overpayment", overpaid),
  "bank import": { line: statement },
  "bank reconcile": {
    before: [statement, "bank rule add Shelf --when 'text contains rent' --to 469"],
    line: "bank reconcile 090 --auto",
  },
  "bank match": {
    before: [...imported, "contact create --name Bank"],
    line: "bank match $LINE --account 404 --contact Bank",
  },
  "bank unmatch": {
    before: [
      ...imported,
      "contact create --name Bank",
      "bank match $LINE --account 404 --contact Bank",
    ],
    line: "bank unmatch $LINE --yes",
  },
  "bank ignore": { before: imported, line: "bank ignore $LINE" },
  "bank statement update": {
    before: made(statement),
    line: "bank statement update $ID --closing-balance 250 --allow-gap",
  },
  "bank statement remove": { before: made(statement), line: "bank statement remove $ID --yes" },
  "bank rule add": { line: "bank rule add Shelf --when 'text contains rent' --to 469" },
  "bank rule update": {
    before: ["bank rule add Shelf --when 'text contains rent' --to 469"],
    line: "bank rule update Shelf --to 429",
  },
  "bank rule remove": {
    before: ["bank rule add Shelf --when 'text contains rent' --to 469"],
    line: "bank rule remove Shelf --yes",
  },
  "bank-transaction create": { line: `bank-transaction create ${spent}` },
  "bank-transaction update": {
    before: made(`bank-transaction create ${spent}`),
    line: "bank-transaction update $ID --reference Changed",
  },
  "bank-transaction void": {
    before: made(`bank-transaction create ${spent}`),
    line: "bank-transaction void $ID --yes",
  },
  "bank-transaction note": {
    before: made(`bank-transaction create ${spent}`),
    line: "bank-transaction note $ID 'Rang'",
  },
  "expense add": { line: spentBy },
  "expense discard": { before: [spentBy], line: "expense discard 1 --by 'Ana Reid' --yes" },
  "expense submit": { before: [spentBy], line: "expense submit 'Ana Reid'" },
  "expense approve": { before: claimed, line: "expense approve EC-1" },
  "expense decline": { before: claimed, line: "expense decline EC-1" },
  "expense pay": { before: owedClaim, line: "expense pay EC-1 --account 090" },
  "expense void": { before: owedClaim, line: "expense void EC-1 --yes" },
  "bank release": {
    before: ["bank unmatch 1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d25"],
    line: "bank release 1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d25",
  },
  "branding delete": {
    before: ["branding create 'In dollars'"],
    line: "branding delete 'In dollars' --yes",
  },
  "branding create": { line: "branding create 'In dollars'" },
  spend: { line: "spend 42.50 Hosting --from 090 --to 404 --date 2026-11-10" },
  receive: { line: "receive 99 'Cash sale' --into 090 --to 200 --date 2026-11-10" },
  transfer: { line: "transfer 500 --from 090 --into 091 --date 2026-11-10" },
  "bank-transfer create": { line: transfer },
  "bank-transfer void": { before: made(transfer), line: "bank-transfer void $ID --yes" },
  "bank-transfer note": { before: made(transfer), line: "bank-transfer note $ID 'Rang'" },
  "batch-payment create": { line: batch },
  "batch-payment note": { before: made(batch), line: "batch-payment note $ID 'Sent'" },
  "batch-payment reverse": { before: made(batch), line: "batch-payment reverse $ID --yes" },
  "contact create": { line: "contact create --name Heron --email-address h@heron.example" },
  "contact update": { line: "contact update 'Kauri Hotel' --first-name Ana" },
  "contact archive": { line: "contact archive 'Coastline Freight' --yes" },
  "contact erase": {
    before: ["contact create --name 'Ann Smith' --email-address ann@example.com"],
    line: "contact erase 'Ann Smith' --yes",
  },
  "contact restore": {
    before: ["contact archive 'Coastline Freight' --yes"],
    line: "contact restore 'Coastline Freight'",
  },
  "contact cis": {
    country: "GB",
    before: ["organisation cis --contractor --yes", "contact create --name Roofer"],
    line: "contact cis Roofer --rate 20",
  },
  "contact note": { line: "contact note 'Kauri Hotel' 'Rang'" },
  "contact import": { line: "contact import $HOME/contacts.csv --yes" },
  "contact-group create": { line: "contact-group create --name Shops" },
  "contact-group update": { before: shops, line: "contact-group update Shops --name Hotels" },
  "contact-group delete": { before: shops, line: "contact-group delete Shops --yes" },
  "contact-group add": { before: shops, line: "contact-group add Shops 'Kauri Hotel'" },
  "contact-group remove": {
    before: [...shops, "contact-group add Shops 'Kauri Hotel'"],
    line: "contact-group remove Shops 'Kauri Hotel' --yes",
  },
  "employee create": { line: "employee create --first-name Ana --last-name Reid" },
  "employee update": {
    before: made("employee create --first-name Ana --last-name Reid"),
    line: "employee update $ID --first-name Anna",
  },
  "employee delete": {
    before: made("employee create --first-name Ana --last-name Reid"),
    line: "employee delete $ID --yes",
  },
  "item create": { line: "item create --code JUG --name Jug --unit-price 30 --sales-account 200" },
  "item stocktake": { line: "item stocktake --count LAMP=28 --date 2026-11-16 --yes" },
  "item adjust": { line: "item adjust LAMP --value -30 --date 2026-11-16" },
  "item update": { line: "item update MUG --unit-price 29" },
  "item delete": {
    before: ["item create --code JUG --name Jug"],
    line: "item delete JUG --yes",
  },
  "item note": { line: "item note MUG 'Out of clay'" },
  "item import": { line: "item import $HOME/items.csv --yes" },
  "account create": { line: "account create --code 261 --name Hire --type REVENUE" },
  "account update": { line: "account update 260 --name Sundry" },
  "account archive": { line: "account archive 260 --yes" },
  "account restore": { before: ["account archive 260 --yes"], line: "account restore 260" },
  "account delete": {
    before: ["account create --code 261 --name Hire --type REVENUE"],
    line: "account delete 261 --yes",
  },
  "tax-rate create": { line: levy },
  "tax-rate update": { before: [levy], line: "tax-rate update 'Eco levy' --name 'Green levy'" },
  "tax-rate delete": { before: [levy], line: "tax-rate delete 'Eco levy' --yes" },
  "tracking create": { line: region },
  "tracking update": { before: [region], line: "tracking update Region --name Place" },
  "tracking delete": { before: [region], line: "tracking delete Region --yes" },
  "tracking option add": { before: [region], line: "tracking option add Region East" },
  "tracking option remove": { before: [region], line: "tracking option remove Region North --yes" },
  "currency add": { line: "currency add USD" },
  "currency remove": { before: made("currency add USD"), line: "currency remove USD --yes" },
  "currency rate": {
    line: "currency rate EUR 0.55 --date 2026-11-02",
  },
  "currency rates": { line: "currency rates $HOME/rates.csv" },
  "budget create": {
    line: "budget create --type TRACKING --description Own --tracking 'Studio:North Quay'",
  },
  "budget update": {
    before: made("budget create --type TRACKING --description Own --tracking 'Studio:North Quay'"),
    line: "budget update $ID --description Other",
  },
  "budget delete": {
    before: made("budget create --type TRACKING --description Own --tracking 'Studio:North Quay'"),
    line: "budget delete $ID --yes",
  },
  "budget import": { line: "budget import $HOME/plan.csv --yes" },
  "opening set": {
    country: "NZ",
    before: bank,
    line: "opening set $HOME/balances.csv --date 2026-02-28",
  },
  "opening remove": {
    country: "NZ",
    before: [...bank, "opening set $HOME/balances.csv --date 2026-02-28"],
    line: "opening remove --yes",
  },
  "organisation update": { line: "organisation update --tax-number 49-091-850" },
  "branding set": { line: "branding set --color '#1d4f91' --bank-details 'Kiwi Bank'" },
  close: { country: "NZ", line: "close 2026-01 --yes" },
  "manual-journal create": { line: `manual-journal create ${wages}` },
  "manual-journal post": {
    before: made(`manual-journal create ${wages} --status DRAFT`),
    line: "manual-journal post $ID",
  },
  "manual-journal void": {
    before: made(`manual-journal create ${wages} --status POSTED`),
    line: "manual-journal void $ID --yes",
  },
  "manual-journal delete": {
    before: made(`manual-journal create ${wages} --status DRAFT`),
    line: "manual-journal delete $ID --yes",
  },
  "manual-journal note": {
    before: made(`manual-journal create ${wages}`),
    line: "manual-journal note $ID 'Agreed'",
  },
  "asset add": { line: kiln },
  "asset update": { before: made(kiln), line: "asset update $ID --name Furnace" },
  "asset remove": { before: made(kiln), line: "asset remove $ID --yes" },
  "asset depreciate": { before: made(kiln), line: "asset depreciate --to 2026-10" },
  "asset dispose": {
    before: made(kiln),
    line: "asset dispose $ID --date 2026-10-31 --proceeds 1500 --account 260 --yes",
  },
  "asset rollback": {
    before: [...made(kiln), "asset depreciate --to 2026-10"],
    line: "asset rollback --to 2026-08 --yes",
  },
  "asset note": { before: made(kiln), line: "asset note $ID 'Serviced'" },
  "asset import": { line: "asset import $HOME/assets.csv --set AssetAccount.Code=710 --yes" },
  "report statement": { line: "report statement 'Kauri Hotel' --email" },
  "report 1099-boxes": { country: "US", line: "report 1099-boxes --map 400=MISC:1" },
  ...ofReturn("gst", "NZ", "2026-01"),
  ...ofReturn("bas", "AU", "2025-Q4"),
  ...ofReturn("vat", "GB", "2025-Q4"),
  ...ofReturn("gst-hst", "CA", "2025-Q4"),
  ...ofReturn("gst-f5", "SG", "2025-Q4"),
  ...ofReturn("vat201", "ZA", "2026-01"),
  ...ofReturn("ust-va", "DE", "2026-01"),
  ...ofReturn("ca3", "FR", "2026-01"),
  "attachment add": { line: "attachment add $HOME/note.txt --on invoice:INV-0217" },
  "attachment remove": {
    before: ["attachment add $HOME/note.txt --on invoice:INV-0217"],
    line: "attachment remove note.txt --on invoice:INV-0217 --yes",
  },
  "history add": { line: "history add 'Rang' --on invoice:INV-0217" },
  "import invoices": { line: "import invoices $HOME/invoices.csv --create-contacts --yes" },
  "import bills": { line: "import bills $HOME/bills.csv --create-contacts --yes" },
  "import contacts": { line: "import contacts $HOME/contacts.csv --yes" },
  "import items": { line: "import items $HOME/items.csv --yes" },
  "import payments": { line: "import payments $HOME/payments.csv --set Account.Code=090 --yes" },
  "import assets": { line: "import assets $HOME/assets.csv --set AssetAccount.Code=710 --yes" },
  ...ofImport("accounts", "account create --code 261 --name Hire --type REVENUE"),
  ...ofImport("bank-rules", "bank rule add Shelf --when 'text contains rent' --to 469"),
  ...ofImport("bank-statements", statement),
  ...ofImport("bank-transactions", `bank-transaction create ${spent}`),
  ...ofImport("bank-transfers", transfer),
  // The sample company has a budget, and there is one alone.
  "import budgets": {
    country: "NZ",
    elsewhere: ["budget import $HOME/plan.csv --yes", "export budgets --output-file $HOME/b.csv"],
    line: "import budgets $HOME/b.csv --yes",
  },
  ...ofImport("credit-notes", `credit-note create ${credit} --status AUTHORISED ${allow}`),
  ...ofImport("currencies", "currency add USD", "currency rate EUR 0.55 --date 2026-11-02"),
  ...ofImport("manual-journals", `manual-journal create ${wages}`),
  ...ofImport("purchase-orders", `purchase-order create ${order}`),
  ...ofImport("quotes", `quote create ${quote}`),
  ...ofImport("tax-rates", levy),
  ...ofImport("tracking", region),
  "import folder": {
    country: "NZ",
    elsewhere: [
      "contact create --name 'Kauri Hotel'",
      "item create --code MUG --name Mug",
      `invoice create ${sale} --status AUTHORISED`,
      "export folder $HOME/books-2026",
    ],
    line: "import folder $HOME/books-2026 --yes",
  },
  "bill import-e-invoice": {
    elsewhere: [
      ...sender,
      `ID=invoice create --contact Buyer --date 2026-11-10 ${one} --status AUTHORISED -o id`,
      "invoice e-invoice $ID --format ubl --output-file $HOME/e-invoice.xml",
    ],
    line: "bill import-e-invoice $HOME/e-invoice.xml --create-contact --account 429",
  },
  "credit-note import-e-invoice": {
    elsewhere: [
      ...sender,
      `ID=credit-note create --contact Buyer --type ACCRECCREDIT --date 2026-11-10 ${one} --status AUTHORISED -o id`,
      "credit-note e-invoice $ID --format cii --output-file $HOME/e-credit.xml",
    ],
    line: "credit-note import-e-invoice $HOME/e-credit.xml --create-contact --account 429",
  },
  undo: { before: [`invoice create ${sale} --status AUTHORISED ${allow}`], line: "undo --yes" },
  api: { line: "api PUT /ContactGroups --input $HOME/group.json" },
};

/** Files that lines name. */
export const plannedFiles: Readonly<Record<string, string>> = {
  "note.txt": "noted",
  "group.json": '{"ContactGroups":[{"Name":"Shops"}]}',
  "giro.csv":
    "Date,Payee,Details,Amount\n2026-11-02,Harbour Trust,RENT NOV,-500.00\n" +
    "2026-11-15,CUBA STREET GIFTS,INV-0217,294.40\n2026-11-16,BANK,FEE,-7.50\n",
  "invoices.csv":
    "*ContactName,*InvoiceNumber,*InvoiceDate,*DueDate,*Description,*Quantity,*UnitAmount,*AccountCode,*TaxType\n" +
    "Heron,H-1,2026-11-02,2026-11-22,Mug,2,28,200,OUTPUT2\nKauri Hotel,H-2,2026-11-03,2026-11-23,Bowl,1,64,200,OUTPUT2\n",
  "bills.csv":
    "*ContactName,*InvoiceNumber,*InvoiceDate,*DueDate,*Description,*Quantity,*UnitAmount,*AccountCode,*TaxType\n" +
    "Heron,H-1,2026-11-02,2026-11-22,Clay,2,28,429,INPUT2\n",
  "contacts.csv": "Name,EmailAddress\nHeron,h@heron.example\nIbis,i@ibis.example\n",
  "items.csv": "Code,Name\nJUG,Jug\nVASE,Vase\n",
  "payments.csv": "InvoiceNumber,Date,Amount\nINV-0217,2026-11-15,94.40\n",
  "rates.csv": "Date,Currency,Rate\n2026-11-02,EUR,0.55\n2026-11-03,EUR,0.56\n",
  "plan.csv": "Account,2026-11,2026-12\n200,1000.00,1200.00\n",
  "balances.csv": "Account,Debit,Credit\n090,250.00,\n970,,250.00\n",
  "assets.csv": "AssetNumber,Name,PurchaseDate,Cost,Life\nW-1,Wheel,2026-05-01,1200,4\n",
};
