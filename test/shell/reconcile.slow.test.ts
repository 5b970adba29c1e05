/** Reconciling by hand on a real terminal: suggestions, an account, a rule, back, undo, Ctrl-C. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answer, enter, shellOn } from "./conversation.ts";
import { type Desk, isInstalled, openDesk } from "./desk.ts";

const hasTmux = isInstalled("tmux", "reconciling on a real terminal");

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  writeFileSync(
    join(desk.folder, "march.csv"),
    [
      "Date,Payee,Description,Amount",
      "2026-11-14,Northland Museum Shop,INV-0230,1511.00",
      "2026-11-15,Harbour Trust,Rent of November,-500.00",
      "2026-11-16,Corner Coffee,Card 4711,-5.50",
      "2026-11-17,,To savings,-200.00",
    ].join("\n"),
  );
  desk.json("bank", "import", "march.csv", "--account", "090", "--date-order", "ymd");
});
afterEach(() => desk.clear());

interface Line {
  readonly Description?: string;
  readonly Status: string;
}

/** The states of the lines, the oldest first. */
const states = () =>
  (desk.json("bank", "lines", "090", "--order", "Date ASC") as Line[]).map(({ Status }) => Status);

describe.skipIf(!hasTmux)("acct bank reconcile on a terminal", () => {
  test.each([80, 120])(
    "acct bank reconcile explains every statement line on a terminal of %i columns",
    { timeout: 600_000 },
    async (columns) => {
      const terminal = await shellOn(desk, { columns });
      enter(terminal, "clear; acct bank reconcile 090 >/dev/null; echo exit=$?");
      const first = await terminal.waitFor("? What is it?");
      await expect(`${first}\n`).toMatchFileSnapshot(`../golden/reconcile-${columns}.txt`);
      await answer(terminal, ["What is it?", "", "❯ INV-0230"]);
      // Taken back, and done again.
      await terminal.waitFor("Harbour Trust");
      await answer(terminal, ["What is it?", "Undo", "❯ Undo the last one"]);
      await terminal.waitFor(/1 of 4[\s\S]*2 of 4[\s\S]*1 of 4/);
      expect(states()).toEqual(Array(4).fill("UNRECONCILED"));
      await answer(
        terminal,
        ["What is it?", "", "❯ INV-0230"],
        // Left without an answer, at each question.
        ["What is it?", "Money spent", "❯ Money spent"],
        ["Which account?", "<", "❯ Back"],
        ["What is it?", "Money spent", "❯ Money spent"],
        ["Which account?", "469", "❯ 469"],
        ["To whom?", "<", "❯ Back"],
        ["Which account?", "469", "❯ 469"],
        ["To whom?", "", "❯ A new contact: Harbour Trust"],
        ["What is it?", "An account, and a rule", "❯ An account, and a rule"],
        ["Of which lines?", "\u0015Coffee", "Coffee"],
        ["Which account?", "420", "❯ 420"],
        ["To whom?", "", "❯ A new contact: Corner Coffee"],
        ["Name of the rule", "\u0015Coffee out", "Coffee out"],
        ["What is it?", "A transfer", "❯ A transfer"],
        ["Which of your accounts?", "091", "❯ 091"],
      );
      const screen = await terminal.waitFor("exit=0");
      expect(screen).toContain("Every line of 090 Business Account is explained.");
      expect(states()).toEqual(Array(4).fill("RECONCILED"));
      expect(desk.json("bank", "rule", "list")).toMatchObject([
        {
          Name: "Coffee out",
          Conditions: [{ Value: "Coffee" }, { Field: "direction", Value: "out" }],
          Contact: { Name: "Corner Coffee" },
          Lines: [{ AccountCode: "420" }],
        },
      ]);
    },
  );

  test("Ctrl-C at any question of acct bank reconcile keeps the lines reconciled so far", {
    timeout: 600_000,
  }, async () => {
    const terminal = await shellOn(desk);
    const questions = [
      [],
      [["What is it?", "Another", "❯ Another"]],
      [["What is it?", "Money received", "❯ Money received"]],
      [["What is it?", "A transfer", "❯ A transfer"]],
      [["What is it?", "An account, and", "❯ An account, and"]],
      [
        ["What is it?", "An account, and", "❯ An account, and"],
        ["Of which lines?", ""],
      ],
    ] as const;
    const waits = [
      "What is it?",
      "Which one?",
      "Which account?",
      "Which of your",
      "Of which",
      "Which account?",
    ];
    for (const [at, steps] of questions.entries()) {
      terminal.clear();
      enter(terminal, "acct bank reconcile 090; echo exit=$?");
      await answer(terminal, ...steps);
      await terminal.waitFor(`? ${waits[at]}`);
      terminal.press("C-c");
      await terminal.waitFor("exit=130");
    }
    expect(states()).toEqual(Array(4).fill("UNRECONCILED"));
    terminal.clear();
    enter(terminal, "acct bank reconcile 090; echo exit=$?");
    await answer(terminal, ["What is it?", "", "❯ INV-0230"]);
    await terminal.waitFor("Harbour Trust");
    terminal.press("C-c");
    await terminal.waitFor("exit=130");
    expect(states()).toEqual(["RECONCILED", ...Array(3).fill("UNRECONCILED")]);
  });
});
