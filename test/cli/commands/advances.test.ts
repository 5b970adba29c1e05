/** Deposits, overpayments and credit notes at the terminal. */
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();

async function ran(line: string): Promise<string> {
  const { code, stdout, stderr } = await acct(line);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return stdout;
}

const read = async (line: string) => JSON.parse(await ran(`${line} -o json`));

beforeAll(async () => {
  await ran("init --name Heron --country NZ --no-input");
  await ran("account create --code 090 --name Cheque --type BANK --bank-account-number 12-090");
  await ran("contact create --name Kowhai");
});

describe("a deposit of a locked month", () => {
  let deposit: string;
  const aged = () => ran("report aged-receivables --date 2026-03-31 -o csv");
  const invoice = (number: string) =>
    ran(
      `invoice create --contact Kowhai --invoice-number ${number} --date 2026-03-04 --status AUTHORISED ` +
        "--line 'description=Bowls,unit-amount=500,account=200'",
    );

  beforeAll(async () => {
    await invoice("INV-1");
    deposit = (
      await ran(
        "bank-transaction create --type RECEIVE-PREPAYMENT --bank-account 090 --contact Kowhai --date 2026-03-02 " +
          "--line 'description=Deposit,unit-amount=115,account=835' -o id",
      )
    ).trim();
    await ran("organisation update --period-lock-date 2026-03-31 --yes");
  });

  test("it is applied on the first open day, which is said; both documents and the month stay", async () => {
    const before = await aged();
    const { code, stdout, stderr } = await acct(
      `prepayment allocate ${deposit} --invoice INV-1 --columns Date,AppliedAmount -o csv`,
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "Posted on 1 Apr 2026, the first open day: 4 Mar 2026 is locked.\n",
    });
    expect(stdout).toBe("Date,AppliedAmount\n2026-04-01,115.00\n");
    expect(await aged()).toBe(before);
    expect(await read(`prepayment show ${deposit}`)).toMatchObject({
      Date: "2026-03-02",
      FullyPaidOnDate: "2026-04-01",
      RemainingCredit: 0,
    });
    expect(await read("invoice show INV-1")).toMatchObject({
      Date: "2026-03-04",
      AmountDue: 460,
    });
  });
});
