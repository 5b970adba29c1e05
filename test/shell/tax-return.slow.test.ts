/** A tax return on a real terminal: what is asked before it is published, and before it is withdrawn. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answer, enter, shellOn } from "./conversation.ts";
import { type Desk, isInstalled, openDesk } from "./desk.ts";

const hasTmux = isInstalled("tmux", "tax returns on a real terminal");

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.clear());

const published = () => desk.json("report", "list") as { ReportName: string }[];

describe.skipIf(!hasTmux)("a tax return on a terminal", () => {
  test("a tax return is published after a confirmation with the amount to pay, and withdrawn with an asked reason", async () => {
    const terminal = await shellOn(desk, { columns: 160, rows: 60 });
    const line = "acct report gst --from 2026-10-01 --to 2026-11-30 --own-days";
    enter(terminal, `${line} --publish; echo exit=$?`);
    const asked = await terminal.waitFor(/Publish GST .*\?/);
    expect(asked).toContain("Publish GST 1 Oct to 30 Nov 2026: to pay 951.60?");
    terminal.type("n");
    terminal.press("Enter");
    await terminal.waitFor("exit=130");
    expect(published()).toEqual([]);
    terminal.clear();
    enter(terminal, `${line} --publish; echo exit=$?`);
    await answer(terminal, ["Publish GST 1 Oct", "y"]);
    await terminal.waitFor("exit=0");
    terminal.clear();
    enter(terminal, "acct report gst --withdraw; echo exit=$?");
    await answer(
      terminal,
      ["Why is it withdrawn?", "One month too many"],
      ["Withdraw GST 1 Oct", "y"],
    );
    await terminal.waitFor("exit=0");
    expect(published()).toMatchObject([
      { ReportName: "GST Return, withdrawn: One month too many" },
    ]);
    terminal.close();
  });
});
