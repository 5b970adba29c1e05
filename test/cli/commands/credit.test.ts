/** The credit note of an invoice at the terminal, wholly or line by line. */
import { expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();

test("an invoice is credited in full or in part, and a credit of a line that it lacks is refused", async () => {
  await acct("init --name Heron --country NZ --no-input");
  await acct("contact create --name Kowhai");
  const lines = ["Mugs,quantity=4", "Bowls,quantity=2"]
    .map((line) => `--line 'description=${line},unit-amount=10,account=200'`)
    .join(" ");
  await acct(`invoice create --contact Kowhai --invoice-number INV-7 ${lines} --status AUTHORISED`);
  const note = async (line: string) => JSON.parse((await acct(`${line} -o json`)).stdout);
  const whole = await note("invoice credit INV-7 --status AUTHORISED");
  expect(whole).toMatchObject({
    Type: "ACCRECCREDIT",
    Status: "AUTHORISED",
    Reference: "INV-7",
    Source: { Type: "INVOICE", Number: "INV-7" },
    Total: 69,
    RemainingCredit: 69,
  });
  const part = await note("invoice credit INV-7 --line 1=1 --line 2 --date 2026-03-20");
  expect(part.LineItems.map((each: { Quantity: number }) => each.Quantity)).toEqual([1, 2]);
  expect(part).toMatchObject({ Status: "DRAFT", Total: 34.5 });
  const wrong = await acct("invoice credit INV-7 --line 3");
  expect([wrong.code, wrong.stderr]).toEqual([2, "acct: INV-7 has no line 3.\n"]);
  expect((await acct("invoice credit INV --no-input")).code).toBe(3);
});
