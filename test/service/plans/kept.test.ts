/** Plans that the service keeps: their states, who decides on them, and what is left of them. */
import { describe, expect, test } from "vitest";
import { contact, type Json, sale, type World, world } from "../fixture.ts";
import { asked, hire, path } from "./people.ts";

const [ann, ben] = ["ann@heron.example", "ben@heron.example"];
const agent = { app: "helper", appName: "Helper", isAgent: true, isPerson: undefined } as const;

const invoice = (party: Json): Json => ({
  Requests: [
    {
      Method: "PUT",
      Path: "/Invoices",
      MediaType: "application/json",
      Body: JSON.stringify(sale(party, { Status: "AUTHORISED" })),
    },
  ],
});

const listed = async (given: World, query: Record<string, string> = {}) =>
  (await given.ok("GET", path, undefined, { query })).Plans ?? [];

/** The path at which a plan is approved as it was shown. */
const approving = ({ Number: number, Digest }: Json) => `/${number}/Approve?digest=${Digest}`;

const shown = async (given: World, key: string) =>
  (await given.ok("GET", `${path}/${key}`)).Plans[0];

/** What the audit log says of acts of a kind. */
const auditedOf = async (given: World, kind: string) =>
  (await given.ok("GET", "/Extensions/AuditEntries", undefined, { query: { kind } })).AuditEntries;

/** A book with Ben, and a plan of an invoice that Ann made and Ben is to approve. */
async function proposed() {
  const given = await world();
  await hire(given, ben);
  const party = await contact(given);
  const plan = await asked(given, ann)("", { ...invoice(party), ApproveBy: ben });
  return { given, party, plan };
}

describe("a plan that the service keeps", () => {
  test("a plan waits with its number, amount and maker until it is applied, and is in the list", async () => {
    const given = await world();
    const plan = (await given.ok("POST", path, invoice(await contact(given)))).Plans[0];
    expect(plan).toMatchObject({ Number: 1, State: "WAITING", Amount: 115, AppName: "acct" });
    const [head] = await listed(given);
    expect(head).toMatchObject({ Number: 1, State: "WAITING", MadeBy: plan.MadeBy });
    expect(head.Records ?? []).toEqual([]);
    expect(await shown(given, "1")).toMatchObject({ Requests: plan.Requests });
    await given.ok("POST", `${path}/1/Apply`);
    expect(await shown(given, plan.PlanID)).toMatchObject({ State: "APPLIED" });
    expect(await listed(given, { state: "WAITING" })).toEqual([]);
    expect((await given.ok("GET", "/Invoices")).Invoices).toHaveLength(1);
  });

  test("a plan that its caller keeps in a file is not kept by the service", async () => {
    const given = await world();
    const query = { keep: "false" };
    await given.ok("POST", path, invoice(await contact(given)), { query });
    expect(await listed(given)).toEqual([]);
  });

  test("a plan is applied only after the approval of the person it names, and not twice", async () => {
    const { given, plan } = await proposed();
    expect(await asked(given, ann)("/1/Apply", {})).toContain(`waits for the approval of ${ben}`);
    const approved = await asked(given, ben)(approving(plan), {});
    expect(approved).toMatchObject({ State: "APPROVED", Approvals: [{ User: "ben" }] });
    expect(await asked(given, ann)("/1/Apply", {})).toMatchObject({ Answers: [{ Status: 200 }] });
    expect((await asked(given, ann)("/1/Apply", {})).Answers ?? []).toEqual([]);
    expect((await given.ok("GET", "/Invoices")).Invoices).toHaveLength(1);
  });

  test.each([
    ["its maker", ann, {}, "another person than the one who made it"],
    ["a machine", "bookkeeper@localhost", { isPerson: undefined }, "a person who is signed in"],
    ["an agent of another person", ben, agent, "No agent does this"],
    ["a person without the role", ben, { role: "READONLY" }, "Your role does not permit you"],
  ] as const)("a plan is not approved by %s", async (_, who, principal, words) => {
    const { given, plan } = await proposed();
    const answer = await asked(given, who, path, {}, principal)(approving(plan), {});
    expect(answer).toContain(words);
    expect(await shown(given, "1")).toMatchObject({ State: "WAITING" });
  });

  test("a plan that its maker replaced is neither approved nor applied by who saw the one before", async () => {
    const { given, party, plan } = await proposed();
    const { PlanID, Digest } = plan;
    const other = sale(party, { Status: "AUTHORISED", LineAmountTypes: "NoTax" });
    const Requests = [{ ...plan.Requests[0], Body: JSON.stringify(other) }];
    const now = await asked(given, ann)("", { PlanID, Requests, ApproveBy: ben });
    expect(now).toMatchObject({ Number: plan.Number, Amount: 100 });
    const changed = "The plan 1 has changed since it was shown: look at it again.";
    expect(await asked(given, ben)(approving(plan), {})).toBe(changed);
    expect(await asked(given, ben)("/1/Approve", {})).toContain("names what was seen");
    expect(await shown(given, "1")).toMatchObject({ State: "WAITING", Digest: now.Digest });
    expect(await asked(given, ben)(approving(now), {})).toMatchObject({ State: "APPROVED" });
    expect(await asked(given, ann)(`/1/Apply?digest=${Digest}`, {})).toBe(changed);
    // The signed plan of before is refused as well.
    const { Answers: _, ...before } = plan;
    expect(await asked(given, ben)("/Approve", before)).toBe(changed);
    expect(await asked(given, ann)("/Apply", before)).toContain("waits for the approval");
    expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
    const applied = await asked(given, ann)(`/1/Apply?digest=${now.Digest}`, {});
    expect(applied).toMatchObject({ Answers: [{ Status: 200 }] });
  });

  test("a plan whose ground has moved is neither approved nor applied, and is outdated", async () => {
    const { given, party, plan } = await proposed();
    await given.ok("POST", `/Contacts/${party.ContactID}`, { Name: "Another Name" });
    expect(await asked(given, ben)(approving(plan), {})).toContain("The books have moved");
    expect(await shown(given, "1")).toMatchObject({ State: "OUTDATED" });
    expect(await asked(given, ann)("/1/Apply", {})).toContain("outdated");
  });

  test("a plan that has waited for more than 30 days is outdated", async () => {
    const { given } = await proposed();
    given.now += 31 * 24 * 3_600_000;
    expect(await shown(given, "1")).toMatchObject({ State: "OUTDATED" });
    expect(await asked(given, ben)("/1/Approve", {})).toContain("outdated");
  });

  test("a plan is withdrawn by its maker or a person, and by no other app", async () => {
    const { given } = await proposed();
    const machine = { app: "other", isPerson: undefined };
    const answer = await asked(given, ben, path, {}, machine)("/1/Withdraw", {});
    expect(answer).toContain("by its maker or by a person");
    expect(await asked(given, ann)("/1/Withdraw", {})).toMatchObject({ State: "WITHDRAWN" });
    expect(await asked(given, ben)("/1/Approve", {})).toContain("was withdrawn already");
    expect(await auditedOf(given, "plan")).toEqual([]);
  });

  test("a plan that another person refuses shows its maker the reason, which the audit log has too", async () => {
    const { given, plan } = await proposed();
    const long = await asked(given, ben)(`/1/Withdraw?reason=${"x".repeat(501)}`, {});
    expect(long).toContain("The reason has more than 500 characters; shorten it.");
    await asked(given, ben)("/1/Withdraw?reason=Paid+twice", {});
    expect(await shown(given, "1")).toMatchObject({ State: "WITHDRAWN", Reason: "Paid twice" });
    expect(await auditedOf(given, "plan")).toMatchObject([
      { Kind: "plan.refused", User: "ben", Changes: [{ Name: "Reason", After: "Paid twice" }] },
    ]);
    expect(await asked(given, ann)(`/1/Apply?digest=${plan.Digest}`, {})).toContain("withdrawn");
  });

  test("a list of plans is answered in pages, the latest first, of one state and maker alone", async () => {
    const { given, party } = await proposed();
    for (let each = 0; each < 4; each += 1) await given.ok("POST", path, invoice(party));
    await given.ok("POST", `${path}/5/Withdraw`);
    given.now += 31 * 24 * 3_600_000;
    await given.ok("POST", path, invoice(party));
    const numbers = async (query: Record<string, string>) =>
      (await listed(given, query)).map((each: Json) => each.Number);
    expect(await numbers({ pageSize: "4" })).toEqual([6, 5, 4, 3]);
    expect(await numbers({ pageSize: "4", page: "2" })).toEqual([2, 1]);
    expect(await numbers({ state: "WAITING" })).toEqual([6]);
    expect(await numbers({ state: "OUTDATED", maker: "TESS" })).toEqual([4, 3, 2]);
    expect(await numbers({ state: "WITHDRAWN" })).toEqual([5]);
    const query = { state: "OUTDATED", pageSize: "3" };
    const { pagination } = await given.ok("GET", path, undefined, { query });
    expect(pagination).toEqual({ page: 1, pageSize: 3, pageCount: 2, itemCount: 4 });
  });

  test("a plan that was applied is not made again under its id", async () => {
    const given = await world();
    const keep = { query: { keep: "false" } };
    const { Answers: _, ...made } = (
      await given.ok("POST", path, invoice(await contact(given)), keep)
    ).Plans[0];
    await given.ok("POST", `${path}/Apply`, made);
    expect(await given.refused("POST", path, made)).toEqual([
      `The plan ${made.PlanID} was applied already.`,
    ]);
  });

  test("a plan of a file shows the file, on the record that it is attached to", async () => {
    const { given, party } = await proposed();
    const Path = `/Contacts/${party.ContactID}/Attachments/contract.txt`;
    const Requests = [{ Method: "PUT", Path, MediaType: "text/plain", Body: "signed" }];
    const plan = (await given.ok("POST", path, { Requests })).Plans[0];
    expect(plan.Records).toMatchObject([{ Resource: "Contact", Change: "CHANGED" }]);
    expect(plan.Records[0].After).toContain('"FileName":"contract.txt"');
    await given.ok("POST", `${path}/2/Apply`, {});
    const { Attachments } = await given.ok("GET", `/Contacts/${party.ContactID}/Attachments`);
    expect(Attachments).toMatchObject([{ FileName: "contract.txt", ContentLength: 6 }]);
  });

  test("a plan of an undo that is handed in takes back its operation, and a forged mark is refused", async () => {
    const { given, party } = await proposed();
    const [{ OperationID, Number: number }] = (await given.ok("GET", "/Extensions/Operations"))
      .Operations;
    const undo = `/Extensions/Operations/${OperationID}/Undo`;
    const { Answers: _, ...made } = (await given.ok("POST", undo, {})).Plans[0];
    const forged = { ...invoice(party), Undoes: OperationID };
    expect(await given.refused("POST", path, forged)).toEqual([
      expect.stringContaining("not as this server made it"),
    ]);
    const kept = (await given.ok("POST", path, made)).Plans[0];
    expect(kept).toMatchObject({ PlanID: made.PlanID, Undoes: OperationID, State: "WAITING" });
    await given.ok("POST", `${path}/${kept.Number}/Apply`, {});
    const undone = (await given.ok("GET", `/Extensions/Operations/${number}`)).Operations[0];
    expect(undone.UndoneBy).toEqual(expect.any(String));
  });

  test("a plan holds no request that approves, applies or withdraws another", async () => {
    const given = await world();
    await given.ok("POST", path, invoice(await contact(given)));
    for (const deed of ["Approve", "Apply", "Withdraw", "%41pply"]) {
      const Requests = [{ Method: "POST", Path: `${path}/1/${deed}` }];
      const [sentence] = await given.refused("POST", path, { Requests });
      expect(sentence).toContain("A plan cannot hold another");
    }
  });

  test("a kept plan is removed with the contact that is erased", async () => {
    const { given, party } = await proposed();
    await given.ok("POST", `/Extensions/Erasures/${party.ContactID}`, {});
    expect(await listed(given)).toEqual([]);
  });
});
