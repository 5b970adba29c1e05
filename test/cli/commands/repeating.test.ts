/** `acct repeating-invoice`, `acct linked-transaction`, and the nouns of `--on`. */
import { expect, test } from "vitest";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { recordRefFlag } from "../../../src/cli/shared/record-ref.ts";
import { createClient } from "../../../src/client/client.ts";
import { resources } from "../../../src/resources/index.ts";
import { contact, invoiced, type World, world } from "../../service/fixture.ts";
import { noHome } from "../../support/run-folder.ts";
import { noon } from "../line.ts";

function desk(given: World) {
  return async (...words: string[]) => {
    const [stdout, stderr] = [memorySink(), memorySink()];
    const code = await run(words, {
      env: { HOME: noHome },
      stdout,
      stderr,
      clock: () => noon,
      open: async (ctx) => ({
        client: createClient(given.book.transport, { dryRun: ctx.flags.dryRun, rollsBack: true }),
        changed: () => false,
      }),
    });
    return { code, stdout: stdout.text, stderr: stderr.text };
  };
}

const line = ["--line", "description=Rent of [Month],unit-amount=400,account=200"];
const when = ["--every", "1", "--unit", "MONTHLY", "--start-date", "2026-03-31"];
const due = ["--due-date", "20", "--due-date-type", "OFFOLLOWINGMONTH"];

test("a repeating template is created, shown by its reference, run, changed and deleted", async () => {
  const given = await world();
  await contact(given, { Name: "Acme" });
  const acct = desk(given);
  const head = ["--contact", "Acme", "--reference", "Rent", "--status", "AUTHORISED"];
  const made = await acct("repeating-invoice", "create", ...head, ...when, ...due, ...line);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect((await acct("repeating-invoice", "list", "-o", "csv")).stdout).toBe(
    [
      "Handle,Reference,Contact.Name,Status,Schedule.Period,Schedule.Unit,Schedule.NextScheduledDate,Total",
      "RI-1,Rent,Acme,AUTHORISED,1,MONTHLY,2026-03-31,460.00\n",
    ].join("\n"),
  );
  given.now = Date.parse("2026-05-01T00:00:00Z");
  const tried = await acct("repeating-invoice", "run", "--dry-run", "-o", "csv");
  expect(tried.stdout.split("\n")).toHaveLength(4);
  expect(tried.stderr).toContain("2 documents would be made.");
  const ran = await acct("repeating-invoice", "run", "-o", "csv");
  expect(ran).toMatchObject({ code: 0, stderr: "2 documents are made.\n" });
  expect(ran.stdout.split("\n").slice(0, 3)).toEqual([
    "Date,InvoiceNumber,Status,SentToContact,Message",
    "2026-03-31,INV-0001,AUTHORISED,false,",
    "2026-04-30,INV-0002,AUTHORISED,false,",
  ]);
  expect((await acct("repeating-invoice", "run")).stderr).toBe(
    "No repeating invoice runs found.\n",
  );
  const ends = ["--end-date", "2026-06-30", "--due-date", "10"];
  expect((await acct("repeating-invoice", "update", "Rent", ...ends)).code).toBe(0);
  const shown = JSON.parse((await acct("repeating-invoice", "show", "Rent", "-o", "json")).stdout);
  expect(shown.Schedule).toEqual({
    Period: 1,
    Unit: "MONTHLY",
    DueDate: 10,
    DueDateType: "OFFOLLOWINGMONTH",
    StartDate: "2026-03-31",
    NextScheduledDate: "2026-05-31",
    EndDate: "2026-06-30",
  });
  expect((await acct("repeating-invoice", "delete", "Rent", "--yes")).code).toBe(0);
  const history = await acct("history", "list", "--on", "repeating-invoice:Rent", "-o", "csv");
  expect(history.stdout).toContain("Deleted");
});

test("a repeating template without a schedule is refused in a sentence", async () => {
  const given = await world();
  await contact(given, { Name: "Acme" });
  const acct = desk(given);
  const refused = await acct("repeating-invoice", "create", "--contact", "Acme", ...line);
  expect(refused).toMatchObject({
    code: 5,
    stderr: "acct: A repeating invoice needs a Schedule.\n",
  });
});

test("a billable bill line is linked to a customer and to an invoice, listed, and the link deleted", async () => {
  const given = await world();
  const lines = ["Freight", "Paper"].map((Description) => ({
    Description,
    Quantity: 1,
    UnitAmount: 10,
    AccountCode: "425",
  }));
  await invoiced(given, { Type: "ACCPAY", InvoiceNumber: "B-1", LineItems: lines });
  await invoiced(given, { InvoiceNumber: "INV-0042" });
  const acct = desk(given);
  const create = ["linked-transaction", "create", "--bill", "B-1"];
  expect((await acct(...create)).stderr).toBe(
    "acct: B-1 has 2 lines; say which with --bill-line.\n",
  );
  expect((await acct(...create, "--bill-line", "3")).stderr).toBe("acct: B-1 has no line 3.\n");
  const made = await acct(...create, "--bill-line", "2", "--invoice", "INV-0042", "-o", "id");
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const listed = await acct("linked-transaction", "list", "--status", "ONDRAFT,BILLED", "-o", "id");
  expect(listed.stdout).toBe(made.stdout);
  const gone = await acct("linked-transaction", "delete", made.stdout.trim(), "--yes");
  expect(gone.code).toBe(0);
  expect((await acct("linked-transaction", "list", "-o", "id")).stdout).toBe("");
});

test("--on accepts every kind of record with history or attachments, by the noun of its command", () => {
  const history = recordRefFlag(({ history }) => history === true)[0];
  const files = recordRefFlag(({ attachments }) => attachments !== undefined)[0];
  for (const resource of resources) {
    const nouns =
      resource.name === "Invoice" ? ["invoice", "bill"] : [resource.noun.replaceAll(" ", "-")];
    const isRead = resource.record.includes("GET");
    for (const noun of nouns) {
      const words = (help: string) => help.replace(/.*nouns: /, "").split(", ");
      expect([noun, words(history).includes(noun)]).toEqual([
        noun,
        isRead && resource.history === true,
      ]);
      expect([noun, words(files).includes(noun)]).toEqual([
        noun,
        isRead && resource.attachments !== undefined,
      ]);
    }
  }
  expect(files).toContain("repeating-invoice");
});
