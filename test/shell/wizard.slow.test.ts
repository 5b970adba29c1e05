/** The invoice wizard on a real terminal, in the built program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answer, shellOn, type Typed } from "./conversation.ts";
import { type Desk, isInstalled, openDesk } from "./desk.ts";

const hasTmux = isInstalled("tmux", "the invoice wizard on a real terminal");

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.clear());

/** What the book holds, to tell whether anything was done to it. */
function holdings(): unknown {
  return [desk.json("invoice", "list", "--all"), desk.json("contact", "list", "--all")];
}

/** What of an invoice does not depend on when it was made. */
function content(text: string): unknown {
  const made = JSON.parse(text) as Record<string, unknown> & {
    LineItems: { LineItemID: string }[];
  };
  const { InvoiceID: _id, InvoiceNumber: _number, UpdatedDateUTC: _at, ...rest } = made;
  return { ...rest, LineItems: made.LineItems.map((line) => ({ ...line, LineItemID: "" })) };
}

describe.skipIf(!hasTmux)("acct invoice create on a terminal", () => {
  test("the invoice wizard asks every question, and writes only the record to stdout", {
    timeout: 600_000,
  }, async () => {
    const terminal = await shellOn(desk);
    terminal.type("acct -o json invoice create >made.json");
    terminal.press("Enter");
    await answer(
      terminal,
      ["Contact", "isl", "❯ Island Bay Florist"],
      ["Date", "2026-03-05", "Date 2026-03-05"],
      ["Due date", "2026-03-25", "terms 2026-03-25"],
      ["Reference", "PO's 7", "PO's 7"],
      ["Line 1", "mug", "A line without an item: mug"],
      ["Description", "", "(Stoneware mug)"],
      ["Quantity", "2.5", "Quantity 2.5"],
      ["Unit price", "1,234.5678", "Unit price 1,234.5678"],
      ["Account", "", "❯ 200  Sales"],
      ["Tax", "", "❯ 15% GST on Income"],
      ["Line 2", 'Firing, "raku"', "❯ A line without an item: Firing"],
      ["Quantity", "", "Quantity (1)"],
      ["Unit price", "80", "Unit price 80"],
      ["Account", "other rev", "❯ 260  Other Revenue"],
      ["Tax", "", "❯ 15% GST on Income"],
      ["Line 3", "", "❯ No more lines"],
    );
    await terminal.waitFor("? What now?");
    const asked = await terminal.waitFor("❯ Save as draft");
    terminal.press("Down");
    await terminal.waitFor("❯ Approve");
    terminal.press("Enter");
    const done = await terminal.waitFor(/The same in one line:\n.+\n\$/);

    await expect(`${asked}\n`).toMatchFileSnapshot("../golden/wizard-asks.txt");
    await expect(`${done}\n`).toMatchFileSnapshot("../golden/wizard-done.txt");
    const made = readFileSync(join(desk.folder, "made.json"), "utf8");
    expect(JSON.parse(made)).toMatchObject({ Status: "AUTHORISED", Total: 3641.38 });

    const line = /The same in one line:\n(.+)\n/.exec(done)?.[1] ?? "";
    const again = desk.run("sh", "-c", `${line} -o json --allow-duplicate`);
    expect(again.stderr).toBe("");
    expect(content(again.stdout)).toEqual(content(made));
  });

  test("the invoice wizard creates a new contact together with its invoice", {
    timeout: 600_000,
  }, async () => {
    const terminal = await shellOn(desk);
    terminal.type("acct invoice create >/dev/null");
    terminal.press("Enter");
    await answer(
      terminal,
      ["Contact", "O'Brien & Söhne", "❯ A new contact: O'Brien & Söhne"],
      ["Name of the new contact", "", "(O'Brien & Söhne)"],
      ["Email address", "office@obrien.example", "office@obrien.example"],
      ["Date", ""],
      ["Due date", ""],
      ["Reference", ""],
      ["Line 1", "bowl", "A line without an item: bowl"],
      ["Description", ""],
      ["Quantity", "", "(1)"],
      ["Unit price", "", "(64.00)"],
      ["Account", "", "❯ 200  Sales"],
      ["Tax", "", "❯ 15% GST on Income"],
      ["Line 2", "", "❯ No more lines"],
    );
    await terminal.waitFor("Invoice to O'Brien & Söhne (new contact)");
    await terminal.waitFor("❯ Save as draft");
    expect(desk.run("acct", "contact", "show", "O'Brien & Söhne").code).toBe(3);
    terminal.press("Enter");
    await terminal.waitFor(/&& acct invoice create .+\n\$/);
    expect(desk.json("invoice", "list", "--contact", "O'Brien & Söhne")).toMatchObject([
      { Status: "DRAFT", Total: 73.6 },
    ]);
  });

  test.each<{ where: string; steps: readonly Typed[] }>([
    { where: "? Contact", steps: [] },
    {
      where: "? Email address",
      steps: [
        ["Contact", "Nobody", "❯ A new contact: Nobody"],
        ["Name of the new", "", "(Nobody)"],
      ],
    },
    {
      where: "? What now?",
      steps: [
        ["Contact", "Nobody", "❯ A new contact: Nobody"],
        ["Name of the new", "", "(Nobody)"],
        ["Email address", ""],
        ["Date", ""],
        ["Due date", ""],
        ["Reference", ""],
        ["Line 1", "mug", "A line without an item: mug"],
        ["Description", ""],
        ["Quantity", ""],
        ["Unit price", ""],
        ["Account", "", "❯ 200"],
        ["Tax", "", "❯ 15%"],
        ["Line 2", "", "❯ No more"],
      ],
    },
  ])(
    'Ctrl-C at the question "$where" of the invoice wizard stores no record',
    { timeout: 600_000 },
    async ({ where, steps }) => {
      const before = holdings();
      const terminal = await shellOn(desk);
      terminal.type("acct invoice create; echo exit=$?");
      terminal.press("Enter");
      await answer(terminal, ...steps);
      await terminal.waitFor(where);
      terminal.press("C-c");
      const screen = await terminal.waitFor("exit=130");
      expect(screen).toContain("acct: Interrupted; nothing was left half-written.");
      expect(holdings()).toEqual(before);
    },
  );

  test("the invoice wizard asks no question without a terminal", () => {
    const { code, stdout, stderr } = desk.run("acct", "invoice", "create", "--interactive");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("--interactive needs a terminal");
  });
});
