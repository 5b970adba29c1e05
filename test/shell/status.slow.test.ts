/** `acct` alone on a real terminal: the state of the company, which no width breaks. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enter, shellOn } from "./conversation.ts";
import { type Desk, isInstalled, openDesk } from "./desk.ts";

const hasTmux = isInstalled("tmux", "acct alone on a real terminal");

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.clear());

describe.skipIf(!hasTmux)("acct without arguments", () => {
  test.each([60, 80, 120])(
    "acct without arguments shows the state of the company on one screen of %i columns",
    async (columns) => {
      const terminal = await shellOn(desk, { columns, rows: 40 });
      enter(terminal, "clear; acct; echo exit=$?");
      const screen = await terminal.waitFor("exit=0");
      expect(screen).toMatch(/^Tern & Tide Pottery/);
      for (const part of ["Cash", "Business Account", "to us", "invoice list --status"]) {
        expect(screen).toContain(part);
      }
      // Lines that the terminal had to break are read as one.
      const widest = Math.max(...screen.split("\n").map((line) => line.length));
      expect(widest).toBeLessThanOrEqual(columns);
      terminal.close();
    },
  );

  test("acct without arguments in a pipe lists the available commands", async () => {
    const terminal = await shellOn(desk, { columns: 80, rows: 60 });
    enter(terminal, "clear; acct | head -3; echo end=$?");
    expect(await terminal.waitFor("end=0")).toContain("Usage: acct");
    terminal.close();
  });
});
