/** Reconciling by hand on a real terminal of 80 by 24: each kind of answer, back, undo, Ctrl-C. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answer, enter, shellOn } from "./conversation.ts";
import { type Desk, isInstalled, openDesk } from "./desk.ts";
import type { Terminal } from "./terminal.ts";

const hasTmux = isInstalled("tmux", "reconciling on a real terminal");
const slow = { timeout: 600_000 };

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.clear());

/** Imports lines of the account 090, each `day,payee,text,amount` of November. */
function imported(...rows: readonly string[]): void {
  const lines = rows.map((row) => `2026-11-${row}`);
  writeFileSync(join(desk.folder, "bank.csv"), ["Date,Payee,Text,Amount", ...lines].join("\n"));
  desk.json("bank", "import", "bank.csv", "--account", "090", "--date-order", "ymd");
}

/** An invoice of today, or a bill for a number of the supplier's own. */
function invoiced(contact: string, amount: number, number?: string): void {
  const line = `description=Pots,unit-amount=${amount},account=200,tax-type=NONE`;
  const own = number === undefined ? [] : ["--invoice-number", number];
  const made = ["--contact", contact, "--line", line, ...own, "--date", "2026-11-01"];
  desk.json("invoice", "create", ...made, "--due-date", "2026-11-20", "--status", "AUTHORISED");
}

interface Line {
  readonly BankStatementLineID: string;
  readonly Status: string;
  readonly Matches?: readonly { readonly Number?: string; readonly Amount: number }[];
}

const lines = () => desk.json("bank", "lines", "090", "--order", "Date ASC") as Line[];
const states = () => lines().map(({ Status }) => Status);

const begun = async (columns = 80): Promise<Terminal> => {
  const terminal = await shellOn(desk, { columns, rows: 24 });
  enter(terminal, "clear; acct bank reconcile 090 >/dev/null; echo exit=$?");
  await terminal.waitFor("? What is it?");
  return terminal;
};

const yes = ["Book it?", "", "❯ Yes"] as const;

describe.skipIf(!hasTmux)("acct bank reconcile on a terminal", () => {
  test.each([80, 120])(
    "the first question has balances, the line and what it may be, on a terminal of %i columns",
    slow,
    async (columns) => {
      imported("14,Northland Museum Shop,INV-0230,1737.65", "15,Harbour Trust,Rent,-500.00");
      const terminal = await begun(columns);
      await expect(`${terminal.screen()}\n`).toMatchFileSnapshot(
        `../golden/reconcile-${columns}.txt`,
      );
    },
  );

  test(
    "a certain suggestion is booked by Enter, undone after the last line, and booked again",
    slow,
    async () => {
      imported("14,Northland Museum Shop,INV-0230,1737.65");
      const terminal = await begun();
      await answer(terminal, ["What is it?", "", "❯ INV-0230"]);
      await answer(terminal, ["That was the last line", "Undo the", "❯ Undo the last one"]);
      await terminal.waitFor(/1 of 1[\s\S]*1 of 1/);
      expect(states()).toEqual(["UNRECONCILED"]);
      // A suggestion that a person took back is shown before it is booked.
      await answer(terminal, ["What is it?", "", "❯ INV-0230"], yes);
      await answer(terminal, ["That was the last line", "", "❯ All is right"]);
      const screen = await terminal.waitFor("exit=0");
      expect(screen).toContain("Every line of 090 Business Account is explained.");
      expect(states()).toEqual(["RECONCILED"]);
    },
  );

  test(
    "a line pays two of three invoices and a part of the last, and three questions are taken back",
    slow,
    async () => {
      for (const amount of [894.7, 300, 200]) invoiced("Kiln & Colour", amount);
      imported("14,Kiln & Colour,thanks,1262.00");
      const terminal = await begun();
      await answer(
        terminal,
        ["What is it?", "Another", "❯ Another"],
        ["Which one?", "0233", "❯ INV-0233 Kiln & Colour 300.00"],
        ["And which one, for 962.00?", "0234", "❯ INV-0234 Kiln & Colour 200.00"],
        ["And which one, for 762.00?", "0232", "❯ INV-0232 Kiln & Colour 894.70"],
        ["The line is 132.70 less", "", "❯ INV-0232 pays 762.00 of 894.70, leaves 132.70 due"],
      );
      const look = await terminal.waitFor("? Book it?");
      expect(look).toMatch(/INV-0232 Kiln & Colour +762.00 {2}leaves 132.70 due/);
      expect(look).toMatch(/Line of the bank +1,262.00 {2}is all of it/);
      // Three questions back: what was answered is marked, and Enter takes it again.
      terminal.type("<");
      await terminal.waitFor("? The line is 132.70 less");
      terminal.type("<");
      await terminal.waitFor("? And which one, for 762.00?");
      terminal.type("<");
      await terminal.waitFor("? And which one, for 962.00?");
      await answer(
        terminal,
        ["And which one, for 962.00?", "0234", "❯ INV-0234 Kiln & Colour 200.00"],
        ["And which one, for 762.00?", "0232", "❯ INV-0232 Kiln & Colour 894.70"],
        ["The line is 132.70 less", "", "❯ INV-0232 pays 762.00 of 894.70, leaves 132.70 due"],
        yes,
        ["That was the last line", "", "❯ All is right"],
      );
      await terminal.waitFor("exit=0");
      expect(
        lines()[0]
          ?.Matches?.map(({ Number: number, Amount }) => `${number} ${Amount}`)
          .sort(),
      ).toEqual(["INV-0232 762", "INV-0233 300", "INV-0234 200"]);
    },
  );

  test(
    "what a line is larger than its invoice is kept as an overpayment, and a line without a document as a deposit",
    slow,
    async () => {
      invoiced("Kiln & Colour", 100);
      imported("14,Kiln & Colour,coffee,130.60", "15,Kauri Hotel,deposit,230.00");
      const terminal = await begun();
      await answer(
        terminal,
        ["What is it?", "Another", "❯ Another"],
        ["Which one?", "0232", "❯ INV-0232 Kiln & Colour 100.00"],
        ["And which one, for 30.60?", "", "❯ Done"],
        ["30.60 are left of the line", "", "❯ Keep 30.60 as an overpayment of Kiln & Colour"],
        yes,
      );
      await terminal.waitFor("Kauri Hotel · deposit");
      await answer(
        terminal,
        ["What is it?", "Keep it as a deposit", "❯ Keep it as a deposit"],
        ["From whom?", "", "❯ Kauri Hotel"],
        ["Which account?", "", "❯ 835"],
        ["Which tax?", "", "❯ "],
        yes,
        ["That was the last line", "", "❯ All is right"],
      );
      await terminal.waitFor("exit=0");
      expect(desk.json("overpayment", "list")).toMatchObject([{ RemainingCredit: 30.6 }]);
      expect(desk.json("prepayment", "list")).toMatchObject([{ Total: 230 }]);
      // Each line is an operation of its own; all of the run are taken back at once.
      expect(desk.run("acct", "undo", "--yes").code).toBe(0);
      expect(states()).toEqual(["RECONCILED", "UNRECONCILED"]);
      expect(desk.run("acct", "undo", "--run", "--yes").code).toBe(0);
      expect(states()).toEqual(["UNRECONCILED", "UNRECONCILED"]);
    },
  );

  test(
    "a difference goes to an account, and a transfer to another bank account",
    slow,
    async () => {
      invoiced("Kiln & Colour", 100);
      imported("14,Kiln & Colour,less fee,97.50", "16,,To savings,-200.00");
      const terminal = await begun();
      await answer(
        terminal,
        ["What is it?", "Another", "❯ Another"],
        ["Which one?", "0232", "❯ INV-0232 Kiln & Colour 100.00"],
        ["The line is 2.50 less", "Write off", "❯ Write off 2.50"],
        // Bank fees come first.
        ["Which account for what is left?", "", "❯ 404"],
        yes,
      );
      await terminal.waitFor("To savings");
      await answer(
        terminal,
        ["What is it?", "A transfer", "❯ A transfer"],
        ["Which of your accounts?", "", "❯ 091"],
        yes,
        ["That was the last line", "", "❯ All is right"],
      );
      await terminal.waitFor("exit=0");
      expect(
        lines()[0]
          ?.Matches?.map(({ Amount }) => Amount)
          .sort(),
      ).toEqual([-2.5, 100]);
      expect(desk.json("bank-transfer", "list")).toMatchObject([{ Amount: 200 }]);
    },
  );

  test(
    "a rule is refused that does not fit its own line, and is made after the look",
    slow,
    async () => {
      imported("16,Corner Coffee,Card 4711,-5.50", "17,Corner Coffee,Card 4711,-6.50");
      const terminal = await begun();
      await answer(
        terminal,
        ["What is it?", "An account, and a rule", "❯ An account, and a rule"],
        ["Of which lines?", "", "❯ Those whose payee has"],
        ["Text of the payee", "\u0015Diesel", "Diesel"],
      );
      await terminal.waitFor('"Diesel" does not fit this line itself.');
      await answer(terminal, ["Text of the payee", "\u0015Co", "Co"]);
      await terminal.waitFor("less than three letters");
      await answer(
        terminal,
        ["Text of the payee", "\u0015Coffee", "Coffee"],
        ["Of which amounts?", "", "❯ Any"],
        ["In which direction?", "", "❯ Money out alone"],
        ["Which account?", "420", "❯ 420"],
        ["Which tax?", "", "❯ "],
        ["To whom?", "", "❯ A new contact: Corner Coffee"],
        ["Name of the rule", ""],
      );
      const rule = await terminal.waitFor("? Is that the rule?");
      expect(rule).toContain(
        "when payee contains Coffee, out then 420 Entertainment, Corner Coffee",
      );
      expect(rule).toContain("fits 2 of the 2 lines that wait");
      expect(desk.json("bank", "rule", "list")).toEqual([]);
      await answer(terminal, ["Is that the rule?", "", "❯ Yes"], yes);
      await terminal.waitFor("Made the rule Coffee");
      // The next line is decided by it.
      await answer(terminal, ["What is it?", "", "❯ 420 Entertainment"]);
      await answer(terminal, yes, ["That was the last line", "", "❯ All is right"]);
      await terminal.waitFor("exit=0");
      expect(states()).toEqual(["RECONCILED", "RECONCILED"]);
      expect(desk.json("bank", "rule", "list")).toMatchObject([
        {
          Name: "Coffee",
          Conditions: [
            { Field: "payee", Value: "Coffee" },
            { Field: "direction", Value: "out" },
          ],
          Contact: { Name: "Corner Coffee" },
        },
      ]);
    },
  );

  test(
    "going back from the first question of a line leads to the line before, which is undone there",
    slow,
    async () => {
      imported("14,Northland Museum Shop,INV-0230,1737.65", "16,Corner Coffee,Card,-5.50");
      const terminal = await begun();
      await answer(terminal, ["What is it?", "", "❯ INV-0230"]);
      await terminal.waitFor("Corner Coffee");
      terminal.type("<");
      await terminal.waitFor("is done: INV-0230");
      await answer(terminal, ["L-1", "Undo it", "❯ Undo it"]);
      await terminal.waitFor(/2 of 2[\s\S]*1 of 2/);
      expect(states()).toEqual(["UNRECONCILED", "UNRECONCILED"]);
      terminal.press("Escape");
      await terminal.waitFor("exit=0");
    },
  );

  test("Ctrl-C at any question keeps the lines reconciled so far", slow, async () => {
    imported("14,Northland Museum Shop,INV-0230,1737.65", "15,Harbour Trust,Rent,-500.00");
    const terminal = await shellOn(desk, { columns: 80, rows: 24 });
    const questions = [
      [],
      [["What is it?", "Another", "❯ Another"]],
      [["What is it?", "Money received", "❯ Money received"]],
      [["What is it?", "A transfer", "❯ A transfer"]],
      [["What is it?", "An account, and", "❯ An account, and"]],
    ] as const;
    const waits = ["What is it?", "Which one?", "Which account?", "Which of your", "Of which"];
    for (const [at, steps] of questions.entries()) {
      terminal.clear();
      enter(terminal, "acct bank reconcile 090; echo exit=$?");
      await answer(terminal, ...steps);
      await terminal.waitFor(`? ${waits[at]}`);
      terminal.press("C-c");
      await terminal.waitFor("exit=130");
    }
    expect(states()).toEqual(["UNRECONCILED", "UNRECONCILED"]);
    terminal.clear();
    enter(terminal, "acct bank reconcile 090; echo exit=$?");
    await answer(terminal, ["What is it?", "", "❯ INV-0230"]);
    await terminal.waitFor("Harbour Trust");
    terminal.press("C-c");
    await terminal.waitFor("exit=130");
    expect(states()).toEqual(["RECONCILED", "UNRECONCILED"]);
  });
});
