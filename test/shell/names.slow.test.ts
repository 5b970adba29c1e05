/** How much of a name a command takes on a real terminal, where a person sees which record is meant. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enter, shellOn } from "./conversation.ts";
import { type Desk, isInstalled, openDesk } from "./desk.ts";

const hasTmux = isInstalled("tmux", "names on a real terminal");

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.clear());

describe.skipIf(!hasTmux)("the beginning of a name on a terminal", () => {
  async function screenAfter(line: string): Promise<string> {
    const terminal = await shellOn(desk, { columns: 100, rows: 40 });
    enter(terminal, `clear; acct ${line}; echo exit=$?`);
    const screen = await terminal.waitFor(/exit=\d/);
    terminal.close();
    return screen;
  }

  test("the beginning of a name that fits one record shows that record, with its full name", async () => {
    const screen = await screenAfter("contact show Kauri --columns Name");
    expect(screen).toContain('Contact "Kauri": Kauri Hotel.');
    expect(screen).toContain("exit=0");
  });

  test("the beginning of a name that fits two records shows no record, and names both", async () => {
    const screen = await screenAfter("account show Travel");
    expect(screen).toContain('"Travel" fits');
    expect(screen).toContain("exit=2");
  });

  test.each([
    "contact archive Kauri --yes",
    "contact update Kauri --email-address a@b.example",
    "invoice create --contact Kauri --line description=Mug,unit-amount=5,account=200",
    "payment apply INV-0217 --account Business",
  ])("the beginning of a name is refused in a command that writes: acct %s", async (line) => {
    const screen = await screenAfter(line);
    expect(screen).toContain("Did you mean");
    expect(screen).toContain("exit=3");
  });
});
