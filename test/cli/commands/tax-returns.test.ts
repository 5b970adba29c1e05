/** Tax returns at the terminal: their period, taken back, undone, and marked as sent. */
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();

async function ran(line: string): Promise<string> {
  const { code, stdout, stderr } = await acct(line);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return stdout;
}
const names = async () =>
  (JSON.parse(await ran("report list -o json")) as { ReportName: string }[]).map(
    ({ ReportName }) => ReportName,
  );
const publish = "report gst --publish --yes";

beforeAll(async () => {
  await ran("init --name Heron --country NZ --no-input");
  await ran("organisation update --sales-tax-basis INVOICE --tax-number 49-091-850 --pays-tax");
  await ran("contact create --name Kowhai");
  await ran(
    "invoice create --contact Kowhai --date 2026-02-10 --status AUTHORISED --line description=Mug,unit-amount=100,account=200",
  );
});

test("other days than the period are told in the report, and refused when published", async () => {
  expect((await ran("report gst")).split("\n")[2]).toBe("1 Feb 2026 to 31 Mar 2026");
  const other = "not a period of this organisation (two months, next 1 Feb to 31 Mar 2026)";
  expect(await ran("report gst --period 2026-02")).toContain(`Draft, not published; ${other}`);
  expect(await ran("report gst --period 2026-02-01..2026-03-31")).not.toContain("not a period");
  const refused = await acct("report gst --period 2026-02 --publish --yes");
  expect(refused.code).toBe(5);
  expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain(`28 Feb 2026 is ${other}. --own-days`);
});

test("days of a published return are no draft; publishing is undone by a withdrawal with trace, and the next return is of the same days", async () => {
  const without = await acct("report gst --publish");
  expect(without.code).toBe(2);
  expect(without.stderr).toContain("--yes");
  await ran(publish);
  const again = await ran("report gst --period 2026-02-01..2026-03-31");
  expect(again).toMatch(/^By the books of today; published on \d+ \w+ \d{4} as R-\d+$/m);
  expect(again).not.toContain("Draft");
  await ran("undo --yes");
  expect(await names()).toEqual(["GST Return, withdrawn: Undone"]);
  expect((await ran("report gst")).split("\n")[2]).toBe("1 Feb 2026 to 31 Mar 2026");
});

test("a return is withdrawn by its id, and not once it is marked as sent", async () => {
  await ran(publish);
  const [id] = (await ran("report list -o id")).trim().split("\n");
  const wrong = await acct(`report gst --withdraw R-99 --reason Slip --yes`);
  expect([wrong.code, wrong.stderr]).toEqual([
    5,
    "acct: No GST Return R-99 is published; acct report list shows them.\n",
  ]);
  await ran(`report gst --withdraw ${id} --reason Slip --yes`);
  await ran(publish);
  await ran("report gst --mark-sent 2026-03-04");
  const sent = await acct("report gst --withdraw --reason Late --yes");
  expect(sent.code).toBe(5);
  expect(sent.stderr.replaceAll(/\s+/g, " ")).toContain(
    "sent to the tax office on 4 Mar 2026 and stays",
  );
});

test("the journal of a published return of France clears the tax account, with the euros of rounding", async () => {
  const { acct: french } = newDesk();
  const answered = async (line: string) => {
    const { code, stdout, stderr } = await french(line);
    return code === 0 ? stdout : stderr.replaceAll(/\s+/g, " ");
  };
  await answered("init --name Atelier --country FR --no-input");
  await answered("contact create --name Lyon");
  const line = "description=Vase,unit-amount=2173.02,account=707000";
  await answered(
    `invoice create --contact Lyon --date 2026-01-10 --status AUTHORISED --line ${line}`,
  );
  expect(await answered("report ca3 --journal")).toContain("is published; acct report list");
  await answered("report ca3 --period 2026-01 --publish --yes --own-days");
  expect((await answered("report ca3 --journal -o csv")).split("\n").slice(0, 4)).toEqual([
    "Section,RowType,Account,Debit,Credit",
    ",Row,445000,434.60,",
    ",Row,445510,,435.00",
    ",Row,658000,0.40,",
  ]);
  await answered("report ca3 --period 2026-02 --publish --yes --own-days --field 2C=50");
  expect(await answered("report ca3 --journal")).toContain("Entered in box 2C. Book it by hand.");
  expect(await answered("report ca3 --journal --detail")).toContain("has no other flag");
});
