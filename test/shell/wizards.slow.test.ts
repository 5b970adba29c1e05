/** Every wizard on a real terminal, narrow and wide: wrong input, going back, changing, Ctrl-C. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answer, enter, shellOn, type Typed } from "./conversation.ts";
import { type Desk, isInstalled, openDesk } from "./desk.ts";

const hasTmux = isInstalled("tmux", "the wizards on a real terminal");

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  writeFileSync(
    join(desk.folder, "giro.csv"),
    // The balances prove how it is read.
    "Tag;Text;Wert;Saldo\n01.02.2026;Miete;-500,00;500,00\n02.02.2026;Kunde Acme;920,50;1420,50\n",
  );
  writeFileSync(
    join(desk.folder, "balances.csv"),
    "Account,Debit,Credit\n090,250.00,\n970,,250.00\n",
  );
});
afterAll(() => desk.clear());

interface Conversation {
  readonly command: string;
  /** Each question answered rightly at once, the first of each being on the screen at Ctrl-C. */
  readonly plain: readonly Typed[];
  /** The same with what people do on the way: nonsense, going back, thinking again. */
  readonly winding: readonly Typed[];
  /** What is to be chosen in the end. */
  readonly deed: string;
  /** The command line that does the same. */
  readonly line: string;
  /** What holds once it was done. */
  readonly done: () => void;
  /** What it would change, to tell whether anything was. */
  readonly holdings: () => unknown;
}

const other = () => join(desk.folder, "other.acct");

const conversations: readonly Conversation[] = [
  {
    command: "acct payment apply",
    plain: [
      ["Which invoice", "north", "❯ INV-0230"],
      ["Paid from", "", "❯ 090"],
      ["Amount", "1500"],
      ["Date", "2026-11-15"],
      ["Reference", "PO 7"],
    ],
    winding: [
      ["Which invoice", "0230", "❯ INV-0230"],
      ["Paid from", "<", "❯ Back"],
      ["Which invoice", "north", "❯ INV-0230"],
      ["Paid from", "091", "❯ 091"],
      ["Amount", "much", "Amount much"],
      ["Amount", "\u0015<", "Amount <"],
      ["Paid from", "090", "❯ 090"],
      ["Amount", "1500"],
      ["Date", "2026-11-14"],
      ["Reference", "PO 7"],
      ["What now?", "Change the date", "❯ Change the date"],
      ["Date", "2026-11-15"],
    ],
    deed: "Record the payment",
    line: "acct payment apply INV-0230 --account 090 --amount 1500 --date 2026-11-15 --reference 'PO 7'",
    done: () =>
      expect(desk.json("payment", "list", "--invoice", "INV-0230")).toMatchObject([
        { Amount: 1500, Date: "2026-11-15", Reference: "PO 7" },
      ]),
    holdings: () => desk.json("payment", "list", "--all"),
  },
  {
    command: "acct contact create",
    plain: [
      ["Name", "Söhne & Co"],
      ["Email", "a@b.example"],
      ["Telephone", ""],
      ["Tax number", ""],
      ["Currency", "", "❯ None"],
      ["Terms of its invoices", "20 days"],
      ["Terms of its bills", ""],
    ],
    winding: [
      ["Name", ""],
      ["Name", "Söhne & Co"],
      ["Email", "nobody"],
      ["Telephone", "<", "<"],
      ["Email", "", "nobody"],
      ["Telephone", ""],
      ["Tax number", ""],
      ["Currency", "", "❯ None"],
      ["Terms of its invoices", "soon"],
      ["Terms of its invoices", "\u001520 days", "yours 20 days"],
      ["Terms of its bills", ""],
      ["What now?", "Change the address", "❯ Change the address"],
      ["Email", "\u0015a@b.example", "one a@b.example"],
    ],
    deed: "Make the contact",
    line: "acct contact create --name 'Söhne & Co' --email-address a@b.example --sales-terms '20 days'",
    done: () =>
      expect(desk.json("contact", "show", "Söhne & Co")).toMatchObject({
        EmailAddress: "a@b.example",
        PaymentTerms: { Sales: { Day: 20 } },
      }),
    holdings: () => desk.json("contact", "list", "--all"),
  },
  {
    command: "acct bank import",
    plain: [
      ["Which file", "giro.csv"],
      ["Of which bank account", "091", "❯ 091"],
    ],
    winding: [
      ["Which file", "gone.csv"],
      ["Which file", "\u0015giro.csv", "bank? giro.csv"],
      ["Of which bank account", "<", "❯ Back"],
      ["Which file", "\u0015giro.csv", "bank? giro.csv"],
      ["Of which bank account", "090", "❯ 090"],
      ["What now?", "Change the account", "❯ Change the account"],
      ["Of which bank account", "091", "❯ 091"],
    ],
    deed: "Take the statement in",
    line: "acct bank import giro.csv --account 091",
    done: () =>
      expect(desk.json("bank", "lines", "091")).toMatchObject([
        { Amount: 920.5 },
        { Amount: -500 },
      ]),
    holdings: () => desk.json("bank", "lines", "091"),
  },
  {
    command: "acct init --book other.acct",
    plain: [
      ["Whose books", "Kiln"],
      ["In which country", "New Z", "❯ New Zealand"],
      ["Currency", ""],
      ["Year end", "31 May"],
      ["On which basis", "", "❯ INVOICE: when it is invoiced, as is usual"],
      ["How often", "", "❯ TWOMONTHS: every two months, as is usual"],
      ["Tax number", "123-456-789"],
      ["Address", "street=4 Heron Lane,city=Wellington"],
      ["Number of the bank account", "12-3456-7890123-00"],
    ],
    winding: [
      ["Whose books", ""],
      ["Whose books", "Kiln"],
      ["In which country", "Canada", "❯ Canada"],
      ["Currency", "<", "<"],
      ["In which country", "New Z", "❯ New Zealand"],
      ["Currency", "SHELLS"],
      ["Currency", "\u0015 "],
      ["Year end", "31 June"],
      ["Year end", "\u001531 May", "than 31 March 31 May"],
      ["On which basis", "invo", "❯ INVOICE: when it is invoiced, as is usual"],
      ["How often", "", "❯ TWOMONTHS: every two months, as is usual"],
      ["Tax number", "123-456-789"],
      ["Address", "4 Heron Lane"],
      ["Address", "\u0015street=4 Heron Lane,city=Wellington"],
      ["Number of the bank account", "12-3456-7890123-00"],
    ],
    deed: "Make the book",
    line: "acct --book other.acct init --name Kiln --country NZ --financial-year-end '31 May' --tax-number 123-456-789 --address 'street=4 Heron Lane,city=Wellington' --bank-account 12-3456-7890123-00",
    done: () => {
      expect(desk.json("--book", other(), "organisation", "show")).toMatchObject({
        Name: "Kiln",
        FinancialYearEndMonth: 5,
        TaxNumber: "123-456-789",
        Addresses: [{ AddressType: "STREET", AddressLine1: "4 Heron Lane", City: "Wellington" }],
      });
      expect(desk.json("--book", other(), "account", "show", "090")).toMatchObject({
        Name: "Business Account",
        BankAccountNumber: "12-3456-7890123-00",
      });
      rmSync(other());
    },
    holdings: () => existsSync(other()),
  },
  {
    command: "acct opening set",
    plain: [
      ["Last day", "2025-12-31"],
      ["File with the trial balance", "balances.csv"],
      ["File with open invoices", ""],
      ["File with the stock", ""],
      ["How the files write dates", ""],
      ["Amounts are written", "", "❯ sign that is found out"],
    ],
    winding: [
      ["Last day", "soon"],
      ["Last day", "\u00152025-12-31", "2025-12-31"],
      ["File with the trial balance", "none.csv"],
      ["File with the trial balance", "\u0015<", "<"],
      ["Last day", "\u00152025-12-31", "2025-12-31"],
      ["File with the trial balance", "balances.csv"],
      ["File with open invoices", ""],
      ["File with the stock", ""],
      ["How the files write dates", ""],
      ["Amounts are written", "point", "❯ point"],
    ],
    deed: "Set the opening balances",
    line: "acct opening set balances.csv --date 2025-12-31 --decimal point",
    done: () => expect(desk.json("opening", "show")).toMatchObject({ Date: "2025-12-31" }),
    holdings: () => desk.run("acct", "opening", "show").code,
  },
];

describe.skipIf(!hasTmux).each(conversations)("the wizard of $command", (conversation) => {
  const { command, plain, winding, deed, line, done, holdings } = conversation;

  test.each([80, 120])(
    "Ctrl-C at any question of a wizard stores no record, on a terminal of %i columns",
    { timeout: 600_000 },
    async (columns) => {
      const before = holdings();
      const terminal = await shellOn(desk, { columns });
      for (let count = 0; count <= plain.length; count += 1) {
        terminal.clear();
        enter(terminal, `${command}; echo exit=$?`);
        await answer(terminal, ...plain.slice(0, count));
        await terminal.waitFor(`? ${plain[count]?.[0] ?? "What now?"}`);
        terminal.press("C-c");
        const screen = await terminal.waitFor("exit=130");
        expect(screen).toContain("acct: Interrupted; nothing was left half-written.");
      }
      expect(holdings()).toEqual(before);
    },
  );

  test("a wizard answered with Discard stores no record", { timeout: 600_000 }, async () => {
    const before = holdings();
    const terminal = await shellOn(desk);
    enter(terminal, `${command}; echo exit=$?`);
    await answer(terminal, ...plain, ["What now?", "Discard", "❯ Discard"]);
    const screen = await terminal.waitFor("exit=0");
    expect(screen).toContain("Discarded; nothing was done.");
    expect(holdings()).toEqual(before);
  });

  test("a wizard answered with wrong values, steps back and changes stores the same record", {
    timeout: 600_000,
  }, async () => {
    const terminal = await shellOn(desk, { columns: 120 });
    enter(terminal, `${command} >/dev/null; echo exit=$?`);
    await answer(terminal, ...winding, ["What now?", "", `❯ ${deed}`]);
    const screen = await terminal.waitFor("exit=0");
    const printed = screen.split("The same in one line:\n")[1]?.split("\nexit=")[0];
    expect(printed?.replaceAll("\n", "")).toBe(line);
    done();
  });
});
