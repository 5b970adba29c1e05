/** Files that a command reads: one reader, which asks their size before and counts their bytes. */
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "./real.ts";

const { acct, home } = newDesk();
const sparse = join(home, "sparse");

beforeAll(async () => {
  writeFileSync(sparse, "");
  truncateSync(sparse, 3 * 1024 ** 3);
  await acct("init --name 'Heron Lane' --country NZ");
  await acct("account create --code 090 --name Bank --type BANK --bank-account-number 1");
  await acct("contact create --name Moa");
});

test.each([
  ["contact create --file FILE", 64],
  ["invoice create --file FILE", 64],
  ["bill import-e-invoice FILE", 25],
  ["attachment add FILE --on contact:Moa", 25],
  ["import contacts FILE", 512],
  ["bank import FILE --account 090", 512],
  ["opening set FILE --date 2026-03-31", 512],
  ["import contacts FILE --mapping FILE", 1],
  ["book verify --since FILE", 1],
  ["apply FILE", 64],
])(
  "acct %s with an input file of 3 GB is refused with the limit of %d MiB",
  async (line, mebibytes) => {
    const { code, stderr } = await acct(line.replaceAll("FILE", sparse));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${sparse} has more than ${mebibytes} MiB: it is not read.`),
    ]);
  },
);

test.each([
  ["contact create --file /dev/zero", 64],
  ["bill import-e-invoice /dev/zero", 25],
  ["attachment add /dev/zero --on contact:Moa", 25],
  ["import contacts /dev/zero", 128],
  ["apply /dev/zero", 64],
])(
  "acct %s reads the endless device no further than %d MiB, and is refused",
  async (line, mebibytes) => {
    const { code, stderr } = await acct(line);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`/dev/zero has more than ${mebibytes} MiB: it is not read.`),
    ]);
  },
);
