/** Taking an operation back without a plan to look at first. */
import { expect, test } from "vitest";
import { contact, faultsIn, invoiced, type Json, paid, world } from "../fixture.ts";
import { log, path, planned } from "./undoing.ts";

const PlanID = "00000000-0000-7000-8000-0000000aaaaa";
const query = { apply: "true" };

test("an undo applied at once does exactly what its plan shows, once", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  const plan = await planned(given);
  const [done] = (await given.ok("POST", `${path}/last/Undo`, { PlanID }, { query })).Plans;
  const seen = (records: Json[]) =>
    records.map(({ Change, Resource, RecordID, Name }) => [Change, Resource, RecordID, Name]);
  expect(seen(done.Records)).toEqual(seen(plan.Records));
  expect(done.Requests).toEqual(plan.Requests);
  const [found] = (await given.ok("GET", `/Invoices/${made.InvoiceID}`)).Invoices;
  expect(found.Status).toBe("VOIDED");
  const [last] = await log(given);
  expect(last).toMatchObject({ Undoes: plan.Undoes });
  // Sent once more, the last operation would be the one before.
  const [again] = (await given.ok("POST", `${path}/last/Undo`, { PlanID }, { query })).Plans;
  expect(again).toMatchObject({ PlanID, AppliedAtUTC: done.AppliedAtUTC });
  expect((await log(given)).map(({ Number: number }) => number)[0]).toBe(last.Number);
  expect(await faultsIn(given)).toEqual([]);
});

test("undoing a void recreates the records, and the answer names the new ones", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "VOIDED" });
  const [done] = (await given.ok("POST", `${path}/last/Undo`, { PlanID }, { query })).Plans;
  expect(done.Records).toContainEqual(
    expect.objectContaining({ Change: "CREATED", Resource: "Invoice", Name: made.InvoiceNumber }),
  );
});

test("an undo applied at once is refused for the same reasons as its plan, and stores nothing", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  const [first] = await log(given);
  await paid(given, made);
  const before = await log(given);
  const where = `${path}/${first.Number}/Undo`;
  const told = await given.refused("POST", where, { PlanID }, { query });
  expect(told).toEqual(await given.refused("POST", where, {}));
  expect(await log(given)).toEqual(before);
});

test("an undo applied at once is refused without a PlanID, and a dry run of it stores nothing", async () => {
  const given = await world();
  await contact(given);
  const where = `${path}/last/Undo`;
  expect(await given.refused("POST", where, {}, { query })).toEqual([
    expect.stringContaining("has a PlanID"),
  ]);
  const headers = { "x-dry-run": "true" };
  await given.ok("POST", where, { PlanID }, { query, headers });
  expect(await log(given)).toHaveLength(1);
});
