/** Plans: tried without a trace, applied as they were seen and once, refused where the books have moved. */
import { describe, expect, test } from "vitest";
import { changeBook } from "../../../src/service/books/book.ts";
import { contact, invoiced, isOverPort, type Json, sale, type World, world } from "../fixture.ts";
import { asked, path } from "./people.ts";

const apply = `${path}/Apply`;

interface Request {
  readonly Method: string;
  readonly Path: string;
  readonly Body?: string;
}

const put = (Path: string, body: object): Request => ({
  Method: "PUT",
  Path,
  Body: JSON.stringify(body),
});

async function planned(given: World, ...Requests: readonly Request[]): Promise<Json> {
  const answer = await given.ok("POST", path, {
    Command: "a test",
    Requests: Requests.map((each) => ({ MediaType: "application/json", ...each })),
  });
  return answer.Plans[0];
}

/** Without what the plan was answered with, as its file has it. */
const kept = ({ Answers: _, ...plan }: Json): Json => plan;

const applied = async (given: World, plan: Json) =>
  (await given.ok("POST", apply, kept(plan))).Plans[0];

const invoices = async (given: World) =>
  (await given.ok("GET", "/Invoices")).Invoices.map((each: Json) => each.InvoiceNumber);

const approvedSale = (party: Json) => sale(party, { Status: "AUTHORISED" });

describe("a plan", () => {
  test("shows records, journals and sums, and leaves nothing", async () => {
    const given = await world();
    const party = await contact(given);
    const plan = await planned(given, put("/Invoices", approvedSale(party)));
    expect(await invoices(given)).toEqual([]);
    expect(plan.Records.map((each: Json) => [each.Change, each.Resource, each.Name])).toEqual([
      ["CREATED", "Invoice", "INV-0001"],
      ["CHANGED", "Contact", party.Name],
    ]);
    expect(plan.Accounts).toEqual([
      { AccountCode: "200", AccountName: "Sales", Change: -100 },
      { AccountCode: "610", AccountName: "Accounts Receivable", Change: 115 },
      { AccountCode: "820", AccountName: "GST", Change: -15 },
    ]);
    expect(plan.Taxes).toMatchObject([{ TaxType: "OUTPUT2", Net: -100, Tax: -15 }]);
    expect(plan.Journals).toHaveLength(1);
    expect(plan.Answers).toMatchObject([{ Status: 200 }]);
  });

  test("makes the records that it showed, by their ids, and once", async () => {
    const given = await world();
    const party = await contact(given);
    const plan = await planned(given, put("/Invoices", approvedSale(party)));
    const [record] = plan.Records;
    given.now += 60_000;
    const first = await applied(given, plan);
    const [made] = (await given.ok("GET", `/Invoices/${record.RecordID}`)).Invoices;
    expect(made).toMatchObject({ InvoiceNumber: "INV-0001", Total: 115, Status: "AUTHORISED" });
    given.now += 60_000;
    const second = await applied(given, plan);
    expect(second.AppliedAtUTC).toBe(first.AppliedAtUTC);
    expect(second.Answers ?? []).toEqual([]);
    expect(await invoices(given)).toEqual(["INV-0001"]);
  });

  test("is answered as it was at first where its request comes again under its key", async () => {
    const given = await world();
    const plan = kept(await planned(given, put("/Invoices", approvedSale(await contact(given)))));
    const headers = { "idempotency-key": "k" };
    const first = await given.ask("POST", apply, plan, { headers });
    expect(first.json.Plans[0].Answers).toMatchObject([{ Status: 200 }]);
    given.now += 60_000;
    const again = await given.ask("POST", apply, plan, { headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
    const other = await given.ask("POST", apply, plan, { headers: { "idempotency-key": "l" } });
    expect(other.json.Plans[0].Answers ?? []).toEqual([]);
    expect(await invoices(given)).toEqual(["INV-0001"]);
  });

  test("has requests that go on from what those before them made", async () => {
    const given = await world();
    const made = put("/Contacts", { Name: "New Customer" });
    const trial = await planned(given, made);
    const id = JSON.parse(trial.Answers[0].Body).Contacts[0].ContactID;
    const plan = (
      await given.ok("POST", path, {
        PlanID: trial.PlanID,
        MadeAtUTC: trial.MadeAtUTC,
        Requests: [made, put("/Invoices", sale({ ContactID: id }))].map((each) => ({
          MediaType: "application/json",
          ...each,
        })),
      })
    ).Plans[0];
    expect(plan.Answers.map((each: Json) => each.Status)).toEqual([200, 200]);
    await applied(given, plan);
    const [invoice] = (await given.ok("GET", "/Invoices")).Invoices;
    expect(invoice.Contact).toMatchObject({ ContactID: id, Name: "New Customer" });
  });

  test("travels as XML as well", async () => {
    const given = await world();
    const party = await contact(given);
    const plan = kept(await planned(given, put("/Invoices", approvedSale(party))));
    const { text } = await given.ask("POST", path, undefined, {
      headers: { accept: "application/xml" },
    });
    expect(text).toContain("A plan has at least one request.");
    await applied(given, JSON.parse(JSON.stringify(plan)));
    expect(await invoices(given)).toEqual(["INV-0001"]);
  });

  test("sends its messages when it is applied, and not before", async () => {
    const given = await world();
    const party = await contact(given, { EmailAddress: "a@b.example" });
    const invoice = (await given.ok("PUT", "/Invoices", approvedSale(party))).Invoices[0];
    const plan = await planned(given, {
      Method: "POST",
      Path: `/Invoices/${invoice.InvoiceID}/Email`,
      Body: "{}",
    });
    expect(given.mail).toEqual([]);
    expect(plan.Messages).toMatchObject([{ To: "a@b.example" }]);
    await applied(given, plan);
    expect(given.mail.map(({ to }) => to)).toEqual([["a@b.example"]]);
    await applied(given, plan);
    expect(given.mail).toHaveLength(1);
  });
});

describe("the books have moved", () => {
  const payment = (invoice: Json) =>
    put("/Payments", {
      Invoice: { InvoiceID: invoice.InvoiceID },
      Account: { Code: "090" },
      Date: "2026-03-10",
      Amount: 40,
    });
  type Move = (given: World, invoice: Json) => Promise<unknown>;
  const pays: Move = (given, { InvoiceID }) =>
    given.ok("PUT", "/Payments", {
      Invoice: { InvoiceID },
      Account: { Code: "090" },
      Date: "2026-03-05",
      Amount: 10,
    });

  test.each<[string, Move, RegExp]>([
    ["under the invoice that is paid", pays, /moved since the plan was made: .*invoice INV-0001/],
    [
      "under a field of it that the plan does not change",
      (given, { InvoiceID }) =>
        given.ok("POST", `/Invoices/${InvoiceID}`, { InvoiceID, Reference: "Other" }),
      /invoice INV-0001/,
    ],
    [
      "into a lock",
      (given) => changeBook(given.book, { periodLockDate: "2026-03-31" }),
      /its first request, PUT \/Payments, is refused now: .*lock/i,
    ],
    [
      "so that a request is refused",
      (given, { InvoiceID }) =>
        given.ok("POST", `/Invoices/${InvoiceID}`, { InvoiceID, Status: "VOIDED" }),
      /Nothing of the plan was done, since its first request, PUT \/Payments, is refused now/,
    ],
  ])("%s: it is refused by name, and nothing is done", async (_what, move, sentence) => {
    const given = await world();
    const invoice = await invoiced(given, { Status: "AUTHORISED" });
    const plan = await planned(given, payment(invoice));
    await move(given, invoice);
    const [before] = (await given.ok("GET", `/Invoices/${invoice.InvoiceID}`)).Invoices;
    const said = await given.refused("POST", apply, kept(plan));
    expect(said.join(" ")).toMatch(sentence);
    const [after] = (await given.ok("GET", `/Invoices/${invoice.InvoiceID}`)).Invoices;
    expect(after).toEqual(before);
  });

  test("elsewhere: it is applied, and a new invoice takes the next free number", async () => {
    const given = await world();
    const party = await contact(given);
    const other = await contact(given);
    const plan = await planned(given, put("/Invoices", approvedSale(party)));
    await given.ok("PUT", "/Invoices", approvedSale(other));
    given.now += 3_600_000;
    const { Records } = await applied(given, plan);
    expect(Records[0]).toMatchObject({ Change: "CREATED", Name: "INV-0002" });
    expect(await invoices(given)).toEqual(["INV-0001", "INV-0002"]);
  });

  test("elsewhere by a number that the plan was to use: it is refused by name", async () => {
    const given = await world();
    const party = await contact(given);
    const own = { ...approvedSale(party), InvoiceNumber: "X-1" };
    const plan = await planned(given, put("/Invoices", own));
    const other = await contact(given);
    await given.ok("PUT", "/Invoices", { ...approvedSale(other), InvoiceNumber: "X-1" });
    const said = await given.refused("POST", apply, kept(plan));
    expect(said.join(" ")).toMatch(/X-1|number|unique/i);
  });
});

describe("a plan that was changed by hand is refused:", () => {
  test.each<[string, (plan: Json) => void]>([
    [
      "another amount in a request",
      (plan) => (plan.Requests[0].Body = plan.Requests[0].Body.replace("100", "900")),
    ],
    ["another path", (plan) => (plan.Requests[0].Path = "/Quotes")],
    ["a request more", (plan) => plan.Requests.push(plan.Requests[0])],
    ["a record less", (plan) => plan.Records.pop()],
    ["another digest", (plan) => (plan.Records[0].Digest = "x")],
    ["another command", (plan) => (plan.Command = "acct nothing")],
    ["nobody who approves", (plan) => (plan.ApproveBy = "a@b.example")],
    ["no signature", (plan) => delete plan.Signature],
  ])("%s", async (_what, change) => {
    const given = await world();
    const plan = kept(await planned(given, put("/Invoices", approvedSale(await contact(given)))));
    change(plan);
    const [said] = await given.refused("POST", apply, plan);
    expect(said).toBe(
      "The plan is not as this book made it: it was changed since, or made by another book. Make it anew.",
    );
    expect(await invoices(given)).toEqual([]);
  });

  test("one of another book", async () => {
    const [given, other] = [await world(), await world()];
    const plan = kept(await planned(other, put("/Invoices", approvedSale(await contact(other)))));
    expect(await given.refused("POST", apply, plan)).toHaveLength(1);
  });
});

describe("approval by another person", () => {
  test("is needed where the plan says so, and is theirs alone", async () => {
    const given = await world();
    const party = await contact(given);
    const [ann, ben] = [asked(given, "ann@heron.example"), asked(given, "ben@heron.example")];
    const request = { MediaType: "application/json", ...put("/Invoices", approvedSale(party)) };
    const asks = { ApproveBy: "ben@heron.example", Requests: [request] };
    const plan = kept(await ann("", asks));
    expect(await ann("/Apply", plan)).toBe("The plan waits for the approval of ben@heron.example.");
    expect(await ann("/Approve", plan)).toBe(
      "The plan is to be approved by ben@heron.example, and you are ann@heron.example.",
    );
    const approved = await ben("/Approve", plan);
    expect(approved.Approvals).toMatchObject([{ User: "ben" }]);
    const forged = { ...plan, Approvals: [{ ...approved.Approvals[0], Signature: "x" }] };
    expect(await ann("/Apply", forged)).toContain("waits for the approval");
    expect((await ann("/Apply", approved)).AppliedAtUTC).toBeDefined();
    expect(await invoices(given)).toEqual(["INV-0001"]);
  });

  test("of oneself, and in a book that nobody else works on, is refused", async () => {
    const given = await world();
    const ann = asked(given, "ann@heron.example");
    const Requests = [put("/Contacts", { Name: "Heron" })];
    expect(await ann("", { ApproveBy: "Ann@heron.example", Requests })).toBe(
      "A plan is to be approved by another person than the one who makes it.",
    );
    // Over a port the book is served.
    if (isOverPort) return;
    const alone = await given.refused("POST", path, { ApproveBy: "b@b.example", Requests });
    expect(alone).toEqual(["Only a served book knows other people who could approve a plan."]);
  });
});

test("a plan is refused that holds nothing, another plan, or a path that is none", async () => {
  const given = await world();
  expect(await given.refused("POST", path, { Requests: [] })).toEqual([
    "A plan has at least one request.",
  ]);
  expect(await given.refused("POST", path, { Requests: [put(path, {})] })).toEqual([
    "A plan cannot hold another.",
  ]);
  expect(await given.refused("POST", path, { Requests: [put("Invoices", {})] })).toEqual([
    "A path begins with a slash, unlike 'Invoices'.",
  ]);
});

test("a request that is refused is answered so, and the plan has the rest", async () => {
  const given = await world();
  const plan = await planned(
    given,
    put("/Contacts", { Name: "" }),
    put("/Contacts", { Name: "A" }),
  );
  expect(plan.Answers.map((each: Json) => each.Status)).toEqual([400, 200]);
  expect(plan.Records).toMatchObject([{ Change: "CREATED", Resource: "Contact", Name: "A" }]);
});
