/** `acct log` and `acct undo` at a terminal: what was done, and the last of it taken back. */
import { expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();

async function done(line: string): Promise<string> {
  const { code, stdout, stderr } = await acct(line);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return stdout;
}

test("acct log lists and shows operations, the last one by default, and acct undo reverses them", async () => {
  await done("init --name Kiln --country NZ");
  expect(await acct("log show")).toMatchObject({
    code: 3,
    stderr: "acct: Nothing was done to the books yet.\n",
  });
  await done("contact create --name Acme");
  const line = "--line description=Mug,unit-amount=100,account=200";
  await done(`invoice create --contact Acme ${line}`);
  await done("invoice update INV-0001 --reference R7");
  expect(await done("log --columns Number,Summary -o csv")).toBe(
    [
      "Number,Summary",
      "3,changed invoice INV-0001",
      "2,created invoice INV-0001",
      "1,created contact Acme",
      "",
    ].join("\n"),
  );
  const last = JSON.parse(await done("log show -o json"));
  expect(last).toEqual(JSON.parse(await done("log show 3 -o json")));
  expect(last.Records).toMatchObject([
    { Name: "INV-0001", Change: "CHANGED", Before: JSON.stringify({ Reference: "" }) },
  ]);
  // There is nothing that a new record was before.
  const [invoice] = JSON.parse(await done("log show 2 -o json")).Records;
  expect(invoice).toMatchObject({ Resource: "Invoice", Change: "CREATED" });
  expect(invoice).not.toHaveProperty("Before");
  await done("undo --yes");
  await done("undo --yes");
  expect(await done("log --record Acme --columns Number -o csv")).toBe("Number\n1\n");
  expect(await done("log --columns Summary --limit 2 -o csv")).toBe(
    "Summary\nundid 2: deleted invoice INV-0001\nundid 3: changed invoice INV-0001\n",
  );
  expect(await acct("log show 99")).toMatchObject({ code: 3 });
});
