import { describe, expect, test } from "vitest";
import { call, line } from "./agent.ts";
import { base64, planCalls } from "./calls.ts";

const countedBooks = async () => (await line(["report", "trial-balance", "-o", "json"])).stdout;

describe("a tool that would change the books", () => {
  test.each(planCalls)(
    "%s %j makes a plan that waits, and changes nothing",
    async (name, given, records) => {
      const before = await countedBooks();
      const { answer, text, isError } = await call(name, given);
      expect(isError, text).toBe(false);
      expect(answer).toMatchObject({
        handle: expect.stringMatching(/^plan:\d+$/),
        state: "WAITING",
      });
      const made = (answer.records ?? []).map(([change, kind]: string[]) => `${change} ${kind}`);
      expect(made.toSorted()).toEqual(expect.arrayContaining([...records]));
      expect(text.length).toBeLessThan(4096);
      expect(await countedBooks()).toBe(before);
      const shown = await call("plan_show", { plan: answer.handle });
      expect(shown.answer).toMatchObject({ handle: answer.handle, state: "WAITING" });
      expect(Buffer.byteLength(shown.text)).toBeLessThanOrEqual(4096);
    },
  );

  test("several lines of a bank become one plan", async () => {
    const lines = [
      { line: "L-9", flags: { account: "425" } },
      { line: "L-10", flags: { account: "200" } },
    ];
    const { answer } = await call("bank_reconcile_plan", { lines });
    const changed = answer.records.filter(([, kind]: string[]) => kind === "BankStatementLine");
    expect(changed.length).toBe(2);
  });

  test("answers the same key with the plan that is there", async () => {
    const given = { kind: "contact", records: [{ Name: "Once Alone" }], key: "once" };
    const first = await call("create", given);
    expect((await call("create", given)).answer).toEqual(first.answer);
    const other = await call("create", { ...given, key: "twice" });
    expect(other.answer.handle).not.toBe(first.answer.handle);
  });

  test.each([
    ["create", { kind: "invoice", records: [{}] }, "OneContact"],
    ["create", { kind: "journal", records: [{}] }, undefined],
    ["update", { handle: "invoice:INV-0217", fields: { Colour: "red" } }, undefined],
    ["transition", { handle: "invoice:INV-0217", verb: "explode" }, undefined],
    [
      "transition",
      { handle: "contact:Kauri Hotel", verb: "import", words: "/etc/passwd" },
      undefined,
    ],
    ["transition", { handle: "bill:B-112", verb: "approve", flags: { plan: "/tmp/x" } }, undefined],
    ["attach", { handle: "bill:B-112", name: "../x.txt", content: base64("x") }, undefined],
    ["pay", { handle: "invoice:INV-0042", account: "090", amount: 5 }, "AmountOutstanding"],
    ["apply", { plan: "plan:1" }, undefined],
    ["apply", { plan: "/etc/passwd" }, undefined],
    ["plan_show", { plan: "/etc/passwd" }, undefined],
  ])("%s %j is refused, with its rule where there is one", async (name, given, rule) => {
    const { answer, isError } = await call(name, given);
    expect(isError).toBe(true);
    expect(answer).toMatchObject({
      code: expect.any(String),
      message: expect.stringMatching(/\w \w/),
    });
    if (rule !== undefined) expect(answer).toMatchObject({ rule, what_to_do: expect.any(String) });
  });
});

test("a plan is applied once a person has approved it, and bears what the agent calls itself", async () => {
  const { answer } = await call("create", { kind: "contact", records: [{ Name: "Aro Cafe" }] });
  const plan = answer.handle as string;
  const refused = await call("apply", { plan });
  expect(refused).toMatchObject({ isError: true, answer: { code: "NotApproved" } });
  const key = plan.replace("plan:", "");
  const { Digest } = JSON.parse((await line(["plan", "show", key, "-o", "json"])).stdout);
  const approve = ["api", "POST", `/Extensions/Plans/${key}/Approve?digest=${Digest}`];
  expect(await line(approve)).toMatchObject({ code: 0 });
  const { answer: kept } = await call("plans", { state: "APPROVED" });
  expect(kept.plans).toMatchObject([
    { handle: plan, Agent: "trial/1.2", Command: "acct mcp: create contact" },
  ]);
  expect((await call("apply", { plan })).answer).toMatchObject({ handle: plan, state: "APPLIED" });
  expect((await call("show", { handle: "contact:Aro Cafe" })).isError).toBe(false);
});

test("a plan that waits is withdrawn, and then not applied", async () => {
  const { answer } = await call("create", { kind: "contact", records: [{ Name: "Never Cafe" }] });
  const plan = answer.handle as string;
  expect((await call("plan_withdraw", { plan })).answer.state).toBe("WITHDRAWN");
  expect((await call("apply", { plan })).isError).toBe(true);
});

test("the plan of an undo says which operation it takes back", async () => {
  const { stdout } = await line(["log", "list", "--limit", "1", "-o", "json"]);
  const [{ Number: operation, OperationID }] = JSON.parse(stdout);
  const { answer } = await call("undo_plan", { operation: String(operation) });
  const key = answer.handle.replace("plan:", "");
  const shown = JSON.parse((await line(["plan", "show", key, "-o", "json"])).stdout);
  expect(shown).toMatchObject({ Undoes: OperationID, Agent: "trial/1.2" });
});
