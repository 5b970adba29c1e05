/** A line for every verb that cannot be planned and whose first example needs more than the sample. */
import { claimed, ofDocuments, type PlannedLine, plannedLines } from "./lines.ts";

const { imported, repeated, prepaid, overpaid, spent, transfer, batch, wages, statement } =
  ofDocuments;

const of = (before: readonly string[], line: string): PlannedLine => ({ before, line });
const made = (line: string): readonly string[] => [`ID=${line} -o id`];

/** To show a record, and its history. */
function ofRecord(noun: string, before: readonly string[], ...verbs: string[]) {
  return Object.fromEntries(
    verbs.map((verb) => [`${noun} ${verb}`, of(before, `${noun} ${verb} $ID`)]),
  );
}

const linked = made(
  "linked-transaction create --bill S-1109 --bill-line 1 --contact 'Kauri Hotel'",
);
const rule = ["bank rule add Shelf --when 'text contains rent' --to 469"];
const country = (name: string, line: string): PlannedLine => ({ country: name, line });
const plan = (file: string) => [`contact create --name Heron --plan $HOME/${file}`];
const server = ["init --name Quay --country NZ --data $HOME/books"];
const app = ["app add Till"];
const bound = [...app, "policy set Till --may plan"];
const hook = ["webhook add https://shop.invalid/ --name Shop --allow private"];
const profile = (name: string) => [`profile add ${name} --book $HOME/sample.acct`];
const kept = (file: string) => [...plan(file), `plan submit $HOME/${file}`];
const budget = ["budget import $HOME/plan.csv --yes"];
const attached = ["attachment add $HOME/note.txt --on invoice:INV-0217"];
const eInvoices = (plannedLines["bill import-e-invoice"]?.elsewhere ?? []).slice(0, -1);
const eCredits = (plannedLines["credit-note import-e-invoice"]?.elsewhere ?? []).slice(0, -1);
const nouns = [
  ..."currencies tax-rates accounts tracking contacts items quotes purchase-orders bills".split(
    " ",
  ),
  ..."invoices credit-notes bank-transactions payments bank-transfers manual-journals".split(" "),
  ..."assets budgets bank-rules bank-statements".split(" "),
];

export const everyLine: Readonly<Record<string, PlannedLine>> = {
  ...plannedLines,
  init: { line: "init --name Kiln --country NZ --book $HOME/new.acct" },
  "invoice e-invoice": of(eInvoices, "invoice e-invoice $ID --format ubl"),
  "invoice pdf": { line: "invoice pdf INV-0042 --output-file $HOME/one.pdf" },
  ...ofRecord("bill", made("bill list --limit 1"), "show", "history"),
  "bill pdf": of(made("bill list --limit 1"), "bill pdf $ID --output-file $HOME/bill.pdf"),
  ...ofRecord("credit-note", made("credit-note list --limit 1"), "show", "history"),
  "credit-note pdf": { line: "credit-note pdf CN-0001 --output-file $HOME/credit.pdf" },
  "credit-note e-invoice": of(eCredits, "credit-note e-invoice $ID --format ubl"),
  ...ofRecord("purchase-order", made("purchase-order list --limit 1"), "show", "history"),
  "purchase-order pdf": { line: "purchase-order pdf PO-0001 --output-file $HOME/order.pdf" },
  ...ofRecord("repeating-invoice", made(`repeating-invoice create ${repeated}`), "show", "history"),
  ...ofRecord("linked-transaction", linked, "show"),
  ...ofRecord("payment", made("payment list --limit 1"), "show"),
  ...ofRecord("prepayment", [...prepaid, ...made("prepayment list")], "show", "history"),
  ...ofRecord("overpayment", [...overpaid, ...made("overpayment list")], "show", "history"),
  "expense show": of(claimed, "expense show EC-1"),
  "bank show": of(imported, "bank show $LINE"),
  "bank suggest": of([statement], "bank suggest 090"),
  "bank rule show": of(rule, "bank rule show Shelf"),
  "bank statement show": of(made(statement), "bank statement show $ID"),
  ...ofRecord("bank-transaction", made(`bank-transaction create ${spent}`), "show", "history"),
  ...ofRecord("bank-transfer", made(transfer), "show", "history"),
  ...ofRecord("batch-payment", made(batch), "show", "history"),
  "contact show": { line: "contact show 'Kauri Hotel'" },
  "contact history": { line: "contact history 'Kauri Hotel'" },
  "contact-group show": of(["contact-group create --name Shops"], "contact-group show Shops"),
  ...ofRecord("employee", made("employee create --first-name Ana --last-name Reid"), "show"),
  "item show": { line: "item show MUG" },
  "item history": { line: "item history MUG" },
  "tracking show": { line: "tracking show Studio" },
  "currency show": { line: "currency show EUR" },
  "budget show": of(budget, "budget show"),
  "opening show": {
    country: "NZ",
    before: [
      "account create --code 090 --name Giro --type BANK --bank-account-number 12-345",
      "opening set $HOME/balances.csv --date 2026-02-28",
    ],
    line: "opening show",
  },
  "organisation cis": country("GB", "organisation cis"),
  "user show": of(made("user list"), "user show $ID"),
  ...ofRecord("manual-journal", made(`manual-journal create ${wages}`), "show", "history"),
  ...ofRecord("asset", plannedLines["asset update"]?.before ?? [], "show", "history"),
  "report 1099": country("US", "report 1099 --year 2025"),
  "report show": {
    country: "NZ",
    before: [
      "organisation update --sales-tax-basis INVOICE --tax-number 123456789 --pays-tax",
      "report gst --period 2026-01 --publish --own-days --yes",
      "ID=report list -o id",
    ],
    line: "report show $ID",
  },
  "report statement": { line: "report statement 'Kauri Hotel'" },
  "explain item": { line: "explain item LAMP quantity" },
  "explain fixed-assets": of(
    plannedLines["asset update"]?.before ?? [],
    "explain fixed-assets 'Total in use'",
  ),
  "explain budget-variance": of(budget, "explain budget-variance 200 --from 2026-11-01"),
  "explain budget-summary": of(budget, "explain budget-summary 200"),
  "explain bas": country("AU", "explain bas G1 --period last-quarter"),
  "explain vat": country("GB", "explain vat 4 --period last-quarter"),
  "explain gst-hst": country("CA", "explain gst-hst 107 --period last-quarter"),
  "explain gst-f5": country("SG", "explain gst-f5 7 --period last-quarter"),
  "explain vat201": country("ZA", "explain vat201 18 --period last-quarter"),
  "explain ust-va": country("DE", "explain ust-va 83 --period last-month"),
  "report ec-sales": country("DE", "report ec-sales"),
  "explain ec-sales": {
    country: "DE",
    before: [
      "contact create --name Lumiere --tax-number FR44732829320",
      "invoice create --contact Lumiere --due-date 2026-12-20 --status AUTHORISED --line description=Cups,unit-amount=100,account=4400,tax=ECOUTPUT",
    ],
    line: "explain ec-sales 'Total goods'",
  },
  "explain ca3": country("FR", "explain ca3 32 --period last-month"),
  "explain 1099": {
    country: "US",
    before: [
      "contact create --name 'Iron Works' --tax-number 123456789",
      "report 1099-boxes --map 612=NEC:1",
      "account create --code 091 --name Checking --type BANK --bank-account-number 12-345",
      "bill create --contact 'Iron Works' --invoice-number I-1 --date 2025-05-05 --due-date 2025-05-20 --status AUTHORISED --line description=Gate,unit-amount=5000,account=612",
      "payment apply I-1 --account 091 --date 2025-05-20",
    ],
    line: "explain 1099 'Iron Works' NEC1 --year 2025",
  },
  "attachment list": of(attached, "attachment list --on invoice:INV-0217"),
  "attachment get": of(
    attached,
    "attachment get note.txt --on invoice:INV-0217 --output-file $HOME/got.txt",
  ),
  "audit show": of(made("audit list --limit 1"), "audit show $ID"),
  apply: of(plan("a.plan"), "apply $HOME/a.plan --yes"),
  "plan show": of(plan("b.plan"), "plan show $HOME/b.plan"),
  "plan list": of(kept("d.plan"), "plan list"),
  "plan submit": of(plan("c.plan"), "plan submit $HOME/c.plan"),
  "plan apply": of(kept("e.plan"), "plan apply 1 --yes"),
  "plan withdraw": of(kept("f.plan"), "plan withdraw 1 --yes"),
  ...Object.fromEntries(nouns.map((noun) => [`export ${noun}`, { line: `export ${noun}` }])),
  "export opening": {
    country: "NZ",
    before: [
      "account create --code 090 --name Giro --type BANK --bank-account-number 12-345",
      "opening set $HOME/balances.csv --date 2026-02-28",
    ],
    line: "export opening",
  },
  "export journal": { line: "export journal --output-file $HOME/books.journal" },
  "export saft": {
    before: ["organisation update --address 'street=4 Heron Lane,city=Wellington,postcode=6011'"],
    line: "export saft --period 2026 --country LU --registration-number B123456 --contact-person 'Ana Lopes' --output-file $HOME/books.xml",
  },
  "export gobd": { line: "export gobd --period 2026 --output-file $HOME/gobd" },
  "profile add": { line: "profile add pottery --book $HOME/sample.acct" },
  "profile list": { line: "profile list" },
  "profile use": of(profile("to-use"), "profile use to-use"),
  "profile show": of(profile("to-show"), "profile show to-show"),
  "profile remove": of(profile("to-remove"), "profile remove to-remove --yes"),
  "book verify": { line: "book verify" },
  "book seal": { line: "book seal" },
  "book backup": { line: "book backup $HOME/a.backup" },
  "book restore": of(
    ["book backup $HOME/b.backup"],
    "book restore $HOME/b.backup --book $HOME/restored.acct",
  ),
  "server backup": of(server, "server backup $HOME/servers --data $HOME/books"),
  "server keys rotate": of(server, "server keys rotate --data $HOME/books"),
  "server restore": of(
    [...server, "server backup $HOME/servers --data $HOME/books"],
    "server restore $HOME/servers --data $HOME/again",
  ),
  "book copy": { line: "book copy $HOME/sample.acct $HOME/copied.acct" },
  "book upgrade": { line: "book upgrade $HOME/sample.acct" },
  "app list": { line: "app list" },
  "app update": of(
    ["app add Shop --kind web --redirect-uri https://shop.example/back"],
    "app update Shop --without-pkce",
  ),
  "app remove": of(app, "app remove Till --yes"),
  "app secret": of(app, "app secret Till --yes"),
  "app token": of(app, "app token Till"),
  "policy set": of(app, "policy set Till --may plan"),
  "policy show": of(bound, "policy show Till"),
  "policy list": { line: "policy list" },
  "policy remove": of(bound, "policy remove Till --yes"),
  "app add": { line: "app add Till" },
  "completion bash": { line: "completion bash" },
  "completion zsh": { line: "completion zsh" },
  "webhook show": of(hook, "webhook show Shop"),
  "webhook key": of(hook, "webhook key Shop"),
  "webhook add": { line: "webhook add https://shop.invalid/ --name Shop --allow private" },
  "webhook remove": of(hook, "webhook remove Shop --yes"),
  "webhook disable": of(hook, "webhook disable Shop"),
  "webhook deliveries": of(hook, "webhook deliveries Shop"),
  "completion install": { line: "completion install bash" },
};

const network = "asks a service over the network: test/cli/sign-in";
const people = "asks for a password or for a person who has one: people.slow.test.ts";
const deliveries = "asks a receiver of events: webhook.slow.test.ts";
const browser = "leads a browser to a served book: view.slow.test.ts";

/** The verbs that are run elsewhere, and why. */
export const elsewhere: Readonly<Record<string, string>> = {
  "auth login": network,
  "auth logout": network,
  "auth status": network,
  "auth token": network,
  "auth refresh": network,
  "user add": people,
  "user role": people,
  "user password": people,
  "user reset": people,
  "user unlock": people,
  "user remove": people,
  "database distribute": "asks for a Citus cluster: test/postgres/citus.test.ts",
  "webhook enable": deliveries,
  "webhook validate": deliveries,
  "webhook resend": deliveries,
  "webhook trigger": deliveries,
  "webhook listen": deliveries,
  "invoice open": browser,
  "credit-note open": browser,
  "quote open": browser,
  view: browser,
  "plan approve": "asks for another person of a served book: plan-show.test.ts",
  "export fec": "asks for a chart of France: test/cli/export",
  "export datev": "asks for a chart of Germany: test/cli/export",
  record: "goes on until it is stopped: test/cli/cassette",
  compare: "plays a recording against a service: test/cli/cassette",
  "dev-cert": "makes files of this machine, none of a book: dev-cert.test.ts",
  mcp: "goes on until it is stopped: test/mcp",
  serve: "goes on until it is stopped: serve.slow.test.ts",
  "explain refusal": "tells of a refused command of the built program: explain.test.ts",
};
