/** Four eyes on an undo: its plan is approved by another person, and applied once. */
import { expect, test } from "vitest";
import { contact, faultsIn, sale, world } from "../fixture.ts";
import { asked, hire } from "../plans/people.ts";
import { log, path, refusal } from "./undoing.ts";

const [ann, ben] = ["ann@heron.example", "ben@heron.example"];

test("an undo that another user must approve is done once with that approval", async () => {
  const given = await world();
  const own = sale(await contact(given), { Status: "AUTHORISED" });
  const { InvoiceID } = (await given.ok("PUT", "/Invoices", own)).Invoices[0];
  const [made] = await log(given);
  const status = async () => (await given.ok("GET", `/Invoices/${InvoiceID}`)).Invoices[0].Status;
  const undo = asked(given, ann, path);
  const plans = { ann: asked(given, ann), ben: asked(given, ben) };

  expect(await undo("/last/Undo", { ApproveBy: ann.toUpperCase() })).toBe(
    "A plan is to be approved by another person than the one who makes it.",
  );
  expect(await undo(`/${made.Number}/Undo`, { ApproveBy: ben })).toContain("Nobody who works");
  await hire(given, ben);
  const plan = await undo(`/${made.Number}/Undo`, { ApproveBy: ben });
  expect(plan).toMatchObject({ Undoes: made.OperationID, ApproveBy: ben });
  expect(await plans.ann("/Apply", plan)).toBe(`The plan waits for the approval of ${ben}.`);
  expect(await plans.ben("/Apply", plan)).toBe(`The plan waits for the approval of ${ben}.`);
  expect(await plans.ann("/Approve", plan)).toBe(
    `The plan is to be approved by ${ben}, and you are ${ann}.`,
  );
  // The name of the approver cannot be taken out, nor the approval of another plan be put in.
  const { ApproveBy: _, ...nobody } = plan;
  expect(await plans.ann("/Apply", nobody)).toContain("not as this server made it");
  const another = await undo(`/${made.Number}/Undo`, { ApproveBy: ben });
  const other = await plans.ben("/Approve", another);
  expect(await plans.ann("/Apply", { ...plan, Approvals: other.Approvals })).toContain("waits for");
  expect(await status()).toBe("AUTHORISED");

  const approved = await plans.ben("/Approve", plan);
  const applied = await plans.ann("/Apply", approved);
  expect(await status()).toBe("VOIDED");
  expect((await plans.ann("/Apply", approved)).AppliedAtUTC).toBe(applied.AppliedAtUTC);
  const [undone, ...others] = (await log(given)).filter(({ Undoes }) => Undoes !== undefined);
  expect(undone).toMatchObject({ Undoes: made.OperationID, User: "ann" });
  expect(others).toEqual([]);
  expect(await refusal(given, made.Number)).toContain("was undone by operation");
  expect(await faultsIn(given)).toEqual([]);
});
