/** Where two answers are of another kind. */
import { expect, test } from "vitest";
import type { KeptAnswer } from "../../../src/cli/cassette/cassette.ts";
import { compareAnswers, type Difference } from "../../../src/cli/cassette/differences.ts";

const a = "11111111-1111-4111-8111-111111111111";
const b = "22222222-2222-4222-8222-222222222222";
const type = { "content-type": "application/json; charset=utf-8" };
const invoice = (InvoiceID: string, more: object = {}) => ({
  InvoiceID,
  InvoiceNumber: "INV-1",
  Date: "/Date(1772323200000+0000)/",
  DateString: "2026-03-01T00:00:00",
  Total: 115,
  LineItems: [{ Quantity: 1, UnitAmount: "100.0000" }],
  ...more,
});
const answer = (body: unknown, more: Partial<KeptAnswer> = {}): KeptAnswer => ({
  status: 200,
  headers: { ...type, "x-minlimit-remaining": "" },
  body: typeof body === "string" ? body : JSON.stringify(body),
  ...more,
});
const list = (...Invoices: object[]) => answer({ Id: a, Invoices });
const refused = (more: object) =>
  answer(
    { ErrorNumber: 10, Type: "ValidationException", Message: "No.", ...more },
    { status: 400 },
  );
const usual = list(invoice(a), invoice(b));

function found(
  recorded: KeptAnswer,
  now: KeptAnswer,
  ids = new Map([
    [a, a],
    [b, b],
  ]),
  values = false,
) {
  return compareAnswers(recorded, now, { ids, values }).map(
    ({ kind, path }: Difference) => `${kind} ${path}`,
  );
}

const { Total: _total, ...withoutTotal } = invoice(a);

test.each<[string, KeptAnswer, KeptAnswer, string]>([
  ["a field is gone", usual, list(withoutTotal, invoice(b)), "missing Invoices[].Total"],
  ["a field is new", usual, list(invoice(a, { New: 1 }), invoice(b)), "new Invoices[].New"],
  [
    "a number is a text",
    usual,
    list(invoice(a, { Total: "115" }), invoice(b)),
    "type Invoices[].Total",
  ],
  [
    "a value is nothing",
    usual,
    list(invoice(a, { Total: null }), invoice(b)),
    "type Invoices[].Total",
  ],
  [
    "200 is answered for 204",
    answer("", { status: 204, headers: {} }),
    answer("", { headers: {} }),
    "status ",
  ],
  [
    "a date has another form",
    usual,
    list(invoice(a, { Date: "2026-03-01" }), invoice(b)),
    "format Invoices[].Date",
  ],
  [
    "an amount has two digits for four",
    usual,
    list(invoice(a, { LineItems: [{ Quantity: 1, UnitAmount: "100.00" }] }), invoice(b)),
    "format Invoices[].LineItems[].UnitAmount",
  ],
  [
    "an id has no hyphens",
    usual,
    answer({ Id: a.replaceAll("-", ""), Invoices: [invoice(a), invoice(b)] }),
    "format Id",
  ],
  ["a list is in another order", usual, list(invoice(b), invoice(a)), "order Invoices"],
  ["a list is empty", usual, list(), "missing Invoices[]"],
  ["a header is gone", usual, { ...usual, headers: type }, "header x-minlimit-remaining"],
  [
    "the content is of another type",
    usual,
    { ...usual, headers: { ...usual.headers, "content-type": "text/json" } },
    "header content-type",
  ],
  ["an error has another number", refused({}), refused({ ErrorNumber: 16 }), "code ErrorNumber"],
])("it is told, and nothing else, that %s", (_what, recorded, now, told) => {
  expect(found(recorded, recorded)).toEqual([]);
  expect(found(recorded, now)).toEqual([told]);
});

test("texts, numbers, ids and times of other values are no difference, but with values they are", () => {
  const [c, d] = [a.replaceAll("1", "3"), b.replaceAll("2", "4")];
  const other = (id: string) => invoice(id, { InvoiceNumber: "INV-9", Total: 20.5 });
  const now = answer({ Id: c, Invoices: [other(c), other(d)] });
  expect(found(usual, now, new Map())).toEqual([]);
  expect(found(usual, now, new Map(), true)).toEqual([
    "value Invoices[].InvoiceNumber",
    "value Invoices[].Total",
  ]);
});

test("answers in XML are compared as those in JSON", () => {
  const xml = (inner: string) =>
    answer(`<Response><Invoices><Invoice><Date>${inner}</Date></Invoice></Invoices></Response>`, {
      headers: { "content-type": "text/xml; charset=utf-8" },
    });
  const [before, now] = [xml("2026-03-01T00:00:00"), xml("2026-03-01")];
  expect(found(before, xml("2026-04-01T00:00:00"))).toEqual([]);
  expect(found(before, now)).toEqual(["format Response.Invoices[].Invoice[].Date[]"]);
});
