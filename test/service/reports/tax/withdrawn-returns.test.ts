/** Returns of other days than a period, and the way back from one that was published by mistake. */
import { expect, test } from "vitest";
import { contact, faultsIn, type World, world } from "../../fixture.ts";
import { basis, boxes, document, figures } from "./returns.ts";

/** Of two-monthly periods, with 15.00 of tax in February, 30.00 in March and 45.00 in April. */
async function registered(): Promise<World> {
  const given = await world();
  await basis(given, "INVOICE");
  const party = await contact(given);
  for (const [at, day] of ["2026-02-10", "2026-03-10", "2026-04-10"].entries()) {
    await document(given, party, { Date: day }, [["200", 100 * (at + 1), "OUTPUT2"]]);
  }
  return given;
}

const days = (FromDate: string, ToDate: string, more: object = {}) => ({
  ReportType: "GSTReturn",
  FromDate,
  ToDate,
  ...more,
});
const publish = (given: World, body: object) => given.ask("PUT", "/Reports", body);
const only = { OnlyPeriod: true };

test("a return for days other than the period due is refused with that period, and accepted when confirmed", async () => {
  const given = await registered();
  const refused = await publish(given, days("2026-02-01", "2026-02-28", only));
  expect(refused.status).toBe(400);
  expect(refused.text).toContain(
    "1 Feb 2026 to 28 Feb 2026 is not a period of this organisation (two months, next 1 Feb to 31 Mar 2026). --own-days publishes other days.",
  );
  expect((await publish(given, days("2026-02-01", "2026-03-31", only))).status).toBe(200);
  const next = await publish(given, days("2026-04-01", "2026-04-30", only));
  expect(next.text).toContain("next 1 Apr to 31 May 2026");
  expect((await publish(given, days("2026-04-01", "2026-04-30"))).status).toBe(200);
});

test("a return requested without days is for the period after the last published one", async () => {
  const given = await registered();
  await given.ok("PUT", "/Reports", days("2026-02-01", "2026-03-31"));
  const [draft] = (await given.ok("GET", "/Reports/GSTReturn")).Reports;
  expect(boxes(draft)).toMatchObject({ From: "2026-04-01", 2: "2026-05-31", 10: "45.00" });
});

test("a return published by mistake can be withdrawn, and the right period then has its tax once", async () => {
  const given = await registered();
  await given.ok("PUT", "/Reports", days("2026-02-01", "2026-02-28"));
  const Withdraw = "One month of two";
  await given.ok("PUT", "/Reports", days("2026-02-01", "2026-02-28", { Withdraw }));
  const [listed] = (await given.ok("GET", "/Reports")).Reports;
  expect(listed.ReportName).toBe("GST Return, withdrawn: One month of two");
  const { AuditEntries } = await given.ok("GET", "/Extensions/AuditEntries");
  expect(AuditEntries[0]).toMatchObject({
    Kind: "tax-return.withdrawn",
    Act: "withdrew the tax return GST Return, 1 Feb 2026 to 28 Feb 2026: Reason One month of two",
    SubjectID: listed.ReportID,
    Changes: [{ Name: "Reason", After: Withdraw }],
  });
  const right = { fromDate: "2026-02-01", toDate: "2026-03-31" };
  expect(await figures(given, "GSTReturn", right)).toMatchObject({ 10: "45.00" });
  await given.ok("PUT", "/Reports", days("2026-02-01", "2026-03-31", only));
  const next = await figures(given, "GSTReturn", { fromDate: "2026-04-01", toDate: "2026-05-31" });
  expect(next).toMatchObject({ 10: "45.00" });
  expect(Object.keys(next).join()).not.toContain("Late");
  expect(await faultsIn(given)).toEqual([]);
});

test("only the last published return can be withdrawn", async () => {
  const given = await registered();
  const Withdraw = "Slip";
  const first = days("2026-02-01", "2026-03-31", { Withdraw });
  expect((await publish(given, first)).text).toContain("No GST Return was published");
  await given.ok("PUT", "/Reports", days("2026-02-01", "2026-03-31"));
  await given.ok("PUT", "/Reports", days("2026-04-01", "2026-05-31"));
  const refused = await publish(given, first);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("which is that of 1 Apr 2026 to 31 May 2026");
});

test("a return that was sent is not withdrawn, and the mark is in its report and in the audit log", async () => {
  const given = await registered();
  const march = days("2026-02-01", "2026-03-31");
  expect((await publish(given, { ...march, Sent: "2026-04-02" })).text).toContain(
    "No GST Return of 1 Feb 2026 to 31 Mar 2026 is published.",
  );
  await given.ok("PUT", "/Reports", march);
  await given.ok("PUT", "/Reports", { ...march, Sent: "2026-04-01" });
  const [sent] = (await given.ok("PUT", "/Reports", { ...march, Sent: "2026-04-02" })).Reports;
  const marks = sent.Attributes.filter(({ Name }: { Name: string }) => Name === "sent");
  expect(marks).toMatchObject([{ Value: "2026-04-02" }]);
  const refused = await publish(given, { ...march, Withdraw: "Slip" });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining("was sent to the tax office on 2 Apr 2026 and stays"),
  ]);
  expect(await faultsIn(given)).toEqual([]);
});
