/** Books to look at: the sample company, and one that works in two currencies. */
import { expect } from "vitest";
import { type Desk, newDesk } from "../cli/real.ts";

export interface Company {
  readonly desk: Desk;
  /** Where it is, as flags. */
  readonly at: string;
  /** A contact and an account that reports are asked for. */
  readonly contact: string;
  readonly account: string;
}

export function sampleCompany(): Company {
  return { desk: newDesk(), at: "--demo", contact: "Cuba Street Gifts", account: "200" };
}

/** Sales, bills, credits, payments and bank transactions in NZD and in USD, and some without effect. */
export async function companyOfTwoCurrencies(): Promise<Company> {
  const desk = newDesk();
  const acct = async (line: string) => {
    const { code, stderr } = await desk.acct(`${line} --no-input`);
    expect(code, `${line}: ${stderr}`).toBe(0);
  };
  await acct("init --name 'Heron & Sons Ltd' --country NZ --financial-year-end 03-31");
  await acct("currency add USD");
  await acct("account create --code 090 --name Bank --type BANK --bank-account-number 12-3456");
  await acct(
    "account create --code 091 --name Dollars --type BANK --bank-account-number 98-7 --currency-code USD",
  );
  await acct("item create --code WIDGET --name 'Oak <frame>' --unit-price 40");
  for (const name of [
    "'Moa Coffee'",
    "'=HYPERLINK(1) & Co'",
    "'Harbour Supplies, a firm of a long name'",
  ]) {
    await acct(`contact create --name ${name}`);
  }
  const sale = (number: string, more: string) =>
    acct(
      `invoice create --invoice-number ${number} --date 2026-01-20 --due-date 2026-02-10 ${more}`,
    );
  const line = (amount: string) => `--line description=Frames,unit-amount=${amount},account=200`;
  await sale("INV-1", `--contact 'Moa Coffee' --status AUTHORISED ${line("1234.50")}`);
  await sale("INV-2", `--contact '=HYPERLINK(1) & Co' --status AUTHORISED ${line("99.99")}`);
  await sale(
    "INV-3",
    `--contact 'Moa Coffee' --currency-code USD --currency-rate 0.6 --status AUTHORISED ${line("5000")}`,
  );
  await sale(
    "INV-4",
    `--contact 'Moa Coffee' --currency-code USD --currency-rate 0.61 --status AUTHORISED ${line("75.25")}`,
  );
  await sale("INV-5", `--contact 'Moa Coffee' --status AUTHORISED ${line("10")}`);
  await sale("INV-6", `--contact 'Moa Coffee' --status DRAFT ${line("12")}`);
  await acct("invoice void INV-5 --yes");
  const bill = (number: string, more: string) =>
    acct(
      `bill create --invoice-number ${number} --date 2026-02-03 --due-date 2026-03-20 --status AUTHORISED ` +
        `--contact 'Harbour Supplies, a firm of a long name' ${more} --line description=Oak,unit-amount=1400,account=310`,
    );
  await bill("B-1", "");
  await bill("B-2", "--currency-code USD --currency-rate 0.59");
  await acct("payment apply INV-1 --account 090 --amount 500 --date 2026-02-12");
  await acct("payment apply B-1 --account 090 --date 2026-02-14");
  await acct(
    "payment apply INV-3 --account 091 --amount 1000 --currency-rate 0.62 --date 2026-02-20",
  );
  await acct(
    "credit-note create --type ACCRECCREDIT --contact 'Moa Coffee' --date 2026-02-15 --status AUTHORISED " +
      "--line description=Back,unit-amount=20,account=200",
  );
  await acct(
    "credit-note create --type ACCPAYCREDIT --contact 'Moa Coffee' --date 2026-02-16 --status AUTHORISED " +
      "--line description=Back,unit-amount=30,account=310",
  );
  for (const type of ["SPEND", "RECEIVE"]) {
    await acct(
      `bank-transaction create --type ${type} --bank-account 090 --contact 'Moa Coffee' --date 2026-02-18 ` +
        "--line description=Sundry,unit-amount=46,account=404",
    );
  }
  await acct(
    "quote create --contact 'Moa Coffee' --date 2026-02-18 --line description=Frames,unit-amount=700,account=200",
  );
  return { desk, at: "", contact: "Moa Coffee", account: "200" };
}
