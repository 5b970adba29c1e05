/** Plans: tried without a trace, applied as they were seen and once, refused where the books have moved. */
import { describe, expect, test } from "vitest";
import { changeBook } from "../../../src/service/books/book.ts";
import { usualLimits } from "../../../src/service/limits/limits.ts";
import { memoryLimits } from "../../../src/service/limits/memory-limits.ts";
import { contact, invoiced, isOverPort, type Json, sale, type World, world } from "../fixture.ts";
import { asked, hire, path } from "./people.ts";

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

describe("a plan of requests", () => {
  test("a plan shows the records, journals and sums that its requests would make, and stores nothing", async () => {
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

  test("applying a plan creates the records that it showed, with their ids, and only once", async () => {
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

  test("a plan request repeated with its idempotency key returns the first answer", async () => {
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

  test("requests of a plan may refer to the results of earlier requests in it", async () => {
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

  test("a plan is read and written as XML too", async () => {
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

  test("a plan sends its emails when it is applied, not when it is made", async () => {
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

describe("plans of books that have changed since", () => {
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
    [
      "in the invoice that the plan pays",
      pays,
      /moved since the plan was made: .*invoice INV-0001/,
    ],
    [
      "in another field of the invoice that the plan pays",
      (given, { InvoiceID }) =>
        given.ok("POST", `/Invoices/${InvoiceID}`, { InvoiceID, Reference: "Other" }),
      /invoice INV-0001/,
    ],
    [
      "by a lock date on the plan's day",
      (given) => changeBook(given.book, { PeriodLockDate: "2026-03-31" }),
      /its first request, PUT \/Payments, is refused now: .*lock/i,
    ],
    [
      "so that a request of the plan is refused",
      (given, { InvoiceID }) =>
        given.ok("POST", `/Invoices/${InvoiceID}`, { InvoiceID, Status: "VOIDED" }),
      /Nothing of the plan was done, since its first request, PUT \/Payments, is refused now/,
    ],
  ])(
    "a plan is refused with the name of the record, and nothing is done, when the book changed %s",
    async (_what, move, sentence) => {
      const given = await world();
      const invoice = await invoiced(given, { Status: "AUTHORISED" });
      const plan = await planned(given, payment(invoice));
      await move(given, invoice);
      const [before] = (await given.ok("GET", `/Invoices/${invoice.InvoiceID}`)).Invoices;
      const said = await given.refused("POST", apply, kept(plan));
      expect(said.join(" ")).toMatch(sentence);
      const [after] = (await given.ok("GET", `/Invoices/${invoice.InvoiceID}`)).Invoices;
      expect(after).toEqual(before);
    },
  );

  test("a plan is applied after unrelated changes, and its new invoice takes the next free number", async () => {
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

  test("a plan is refused when another record took the number that its record was to have", async () => {
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

describe("plans changed by hand", () => {
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
  ])("a plan changed by hand is refused: %s", async (_what, change) => {
    const given = await world();
    const plan = kept(await planned(given, put("/Invoices", approvedSale(await contact(given)))));
    change(plan);
    const [said] = await given.refused("POST", apply, plan);
    expect(said).toBe(
      "The plan is not as this server made it: it was changed since, or made by another. Make it anew.",
    );
    expect(await invoices(given)).toEqual([]);
  });

  test.each<[string, (plan: Json) => void]>([
    [
      "a record after",
      ({ Records }) => (Records[0].After = Records[0].After.replace(/"Total":[\d.]+/, '"Total":1')),
    ],
    ["a record before", ({ Records }) => (Records[1].Before = "{}")],
    ["a journal", ({ Journals }) => (Journals[0].Lines[0].NetAmount = 1)],
    ["no journals", (plan) => delete plan.Journals],
    ["the trial balance", ({ Accounts }) => (Accounts[0].Change = 1)],
    ["tax", ({ Taxes }) => (Taxes[0].Tax = 1)],
    ["a message", (plan) => (plan.Messages = [{ To: "a@b.example", Subject: "Hello" }])],
  ])("a plan whose shown details were changed by hand is refused: %s", async (_what, change) => {
    const given = await world();
    const plan = kept(await planned(given, put("/Invoices", approvedSale(await contact(given)))));
    const [asMade] = (await given.ok("POST", `${path}/Check`, plan)).Plans;
    expect(asMade.PlanID).toBe(plan.PlanID);
    change(plan);
    for (const deed of ["Apply", "Check"]) {
      const [said] = await given.refused("POST", `${path}/${deed}`, plan);
      expect(said).toContain("not as this server made it");
    }
    expect(await invoices(given)).toEqual([]);
  });

  test("a plan without its shown details can be applied, since its digests are signed, but not approved", async () => {
    const given = await world();
    const { Journals, Accounts, Taxes, Records, ...rest } = kept(
      await planned(given, put("/Invoices", approvedSale(await contact(given)))),
    );
    const bare = {
      ...rest,
      Records: Records.map(({ Before: _, After: __, ...each }: Json) => each),
    };
    expect(await given.refused("POST", `${path}/Check`, bare)).toHaveLength(1);
    await applied(given, bare);
    expect(await invoices(given)).toEqual(["INV-0001"]);
  });

  test("a plan of another book is refused", async () => {
    const [given, other] = [await world(), await world()];
    const plan = kept(await planned(other, put("/Invoices", approvedSale(await contact(other)))));
    expect(await given.refused("POST", apply, plan)).toHaveLength(1);
    const foreign = { ...plan, OrganisationID: "00000000-0000-7000-8000-0000000000ff" };
    const checked = await given.ask("POST", `${path}/Check`, foreign);
    expect([checked.status, checked.text]).toEqual([404, expect.stringContaining("other books")]);
  });
});

describe("approval of a plan by another user", () => {
  test("a plan that names an approver needs the approval of that user, who must be another user", async () => {
    const given = await world();
    const party = await contact(given);
    const [ann, ben] = [asked(given, "ann@heron.example"), asked(given, "ben@heron.example")];
    const request = { MediaType: "application/json", ...put("/Invoices", approvedSale(party)) };
    const asks = { ApproveBy: "ben@heron.example", Requests: [request] };
    expect(await ann("", asks)).toBe(
      "Nobody who works for this organisation has the address ben@heron.example.",
    );
    await hire(given, "ben@heron.example");
    const plan = kept(await ann("", asks));
    expect(await ann("/Apply", plan)).toBe("The plan waits for the approval of ben@heron.example.");
    expect(await ann("/Approve", plan)).toBe(
      "The plan is to be approved by ben@heron.example, and you are ann@heron.example.",
    );
    const Approvals = [{ User: "ben", ApprovedAtUTC: plan.MadeAtUTC }];
    expect(await ann("/Apply", { ...plan, Approvals })).toContain("waits for the approval");
    const [shown] = plan.Records;
    const other = { ...plan, Records: [{ ...shown, After: "{}" }, ...plan.Records.slice(1)] };
    expect(await ben("/Approve", other)).toContain("not as this server made it");
    const approved = await ben("/Approve", plan);
    expect(approved.Approvals).toMatchObject([{ User: "ben" }]);
    expect((await ann("/Check", plan)).Approvals).toMatchObject([{ User: "ben" }]);
    const { AuditEntries } = await given.ok("GET", "/Extensions/AuditEntries", undefined, {
      query: { kind: "plan" },
    });
    expect(AuditEntries).toMatchObject([
      { Kind: "plan.approved", EmailAddress: "ben@heron.example", SubjectID: plan.PlanID },
    ]);
    // The file stays as it was: what the server knows is enough.
    expect((await ann("/Apply", plan)).AppliedAtUTC).toBeDefined();
    expect(await invoices(given)).toEqual(["INV-0001"]);
  });

  test("approval of one's own plan, or in a book with a single user, is refused", async () => {
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

test("a plan is refused when its approver's role does not permit its requests", async () => {
  const given = await world();
  const ann = asked(given, "ann@heron.example");
  await hire(given, "cal@heron.example", "read-only");
  await hire(given, "ivy@heron.example", "invoice-only");
  const ask = (ApproveBy: string, request: Request) =>
    ann("", { ApproveBy, Requests: [{ MediaType: "application/json", ...request }] });
  const account = put("/Accounts", { Code: "999", Name: "Till", Type: "CURRENT" });
  expect(await ask("cal@heron.example", account)).toContain("cal@heron.example may not approve");
  expect(await ask("ivy@heron.example", account)).toContain("ivy@heron.example may not approve");
  const invoice = put("/Invoices", approvedSale(await contact(given)));
  expect((await ask("ivy@heron.example", invoice)).ApproveBy).toBe("ivy@heron.example");
});

describe("plans over a port", () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      MediaType: "application/json",
      ...put("/Contacts", { Name: `Contact ${at}` }),
    }));

  test("a plan over a port counts each of its requests towards the rate limit before any is run", async () => {
    const given = await world();
    const limiter = memoryLimits({ ...usualLimits, minute: 60 }, () => given.now).of({
      org: 1,
      OrganisationID: "o",
    });
    const admit = async (app: string, calls: number) => {
      const refusal = await limiter.take(app, calls);
      if (refusal !== undefined) throw refusal;
    };
    const ann = asked(given, "ann@heron.example", path, { admit });
    expect(await ann("", { Requests: names(501) })).toContain("of which this holds 501");
    const plan = kept(await ann("", { Requests: names(40) }));
    expect(await ann("", { Requests: names(21) })).toContain("60 calls a minute");
    expect(await ann("/Apply", plan)).toContain("of which this holds 40");
    given.now += 61_000;
    expect((await ann("/Apply", plan)).Answers).toHaveLength(40);
  });

  test("a plan is rolled back after five seconds of work, and the message says how many requests fit", async () => {
    const given = await world();
    let elapsed = 0;
    // Each look at the clock takes a second.
    const bound = { elapsed: () => (elapsed += 1_000), maxMs: 5_000 };
    const slow = asked(given, "ann@heron.example", path, { bound });
    const late = /for 5 seconds at most: \d of 20 requests fit/;
    expect(await slow("", { Requests: names(20) })).toMatch(late);
    const ann = asked(given, "ann@heron.example");
    const plan = kept(await ann("", { Requests: names(20) }));
    expect(await slow("/Apply", plan)).toMatch(late);
    const { Contacts } = await given.ok("GET", "/Contacts");
    expect(Contacts.filter(({ Name }: Json) => Name.startsWith("Contact "))).toEqual([]);
    expect((await ann("/Apply", plan)).Answers).toHaveLength(20);
  });

  test("a plan with a GET request is refused; a read after its requests is answered from the planned state", async () => {
    const given = await world();
    const get = { Method: "GET", Path: "/Contacts" };
    expect((await given.refused("POST", path, { Requests: [get] }))[0]).toContain("Method");
    const answer = await given.ok(
      "POST",
      path,
      { Requests: names(1) },
      { query: { answersOnly: "true", readAfter: "/Contacts?searchTerm=Contact" } },
    );
    expect(answer.Plans[0].Answers[1].Body).toContain("Contact 0");
    expect((await given.ok("GET", "/Contacts")).Contacts).toEqual([]);
  });
});

test("a plan without requests, inside another plan, or with an unknown path is refused", async () => {
  const given = await world();
  expect(await given.refused("POST", path, { Requests: [] })).toEqual([
    "A plan has at least one request.",
  ]);
  expect(await given.refused("POST", path, { Requests: [put(path, {})] })).toEqual([
    expect.stringContaining("A plan cannot hold another: "),
  ]);
  expect(await given.refused("POST", path, { Requests: [put("Invoices", {})] })).toEqual([
    "A path begins with a slash, unlike 'Invoices'.",
  ]);
});

test("a refused request in a plan is answered as refused, and the plan contains the other requests", async () => {
  const given = await world();
  const plan = await planned(
    given,
    put("/Contacts", { Name: "" }),
    put("/Contacts", { Name: "A" }),
  );
  expect(plan.Answers.map((each: Json) => each.Status)).toEqual([400, 200]);
  expect(plan.Records).toMatchObject([{ Change: "CREATED", Resource: "Contact", Name: "A" }]);
});

const aDoing = "00000000-0000-7000-8000-000000000001";

test.each([
  "/Extensions/Plans",
  "/extensions/plans/",
  "//Extensions//Plans",
  "/Extensions/%50lans?answersOnly=true",
  "/%45xtensions/Plans/%41pply",
  "/Extensions/Plans/Check//",
  "/Extensions/Plans/Approve",
  "/Extensions/Operations/last/Undo",
  `/extensions//operations/${aDoing}/%75ndo/`,
])("a plan that contains another plan by the path %s is refused", async (inner) => {
  const given = await world();
  const request = { Method: "POST", Path: inner, MediaType: "application/json", Body: "{}" };
  expect(await given.refused("POST", path, { Requests: [request] })).toEqual([
    `A plan cannot hold another: POST ${inner}`,
  ]);
  expect(await given.refused("POST", "//Extensions/Plans/Apply", { Requests: [request] })).toEqual([
    `A plan cannot hold another: POST ${inner}`,
  ]);
});

test("a question mark inside the query of a planned request is passed on unchanged", async () => {
  const given = await world();
  await given.ok("PUT", "/Contacts", { Name: "Why? Ltd" });
  const readAfter = '/Contacts?where=Name=="Why? Ltd"';
  const answer = await given.ok(
    "POST",
    path,
    { Requests: [put("/Contacts", { Name: "New" })] },
    {
      query: { answersOnly: "true", readAfter },
    },
  );
  expect(answer.Plans[0].Answers[1].Body).toContain("Why? Ltd");
  expect(answer.Plans[0].Answers[1].Body).not.toContain('"New"');
});
