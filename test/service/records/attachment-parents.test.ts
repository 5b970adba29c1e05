/** Files on every kind of record that takes them: kept, listed, given back, replaced, no more than ten. */
import { describe, expect, test } from "vitest";
import { resources } from "../../../src/resources/index.ts";
import { textOf } from "../../../src/wire/body.ts";
import { contact, faultsIn, type Json, type World, world } from "../fixture.ts";

const line = { Description: "Clay", Quantity: 1, UnitAmount: 10, AccountCode: "200" };
const spent = { ...line, AccountCode: "400" };

async function dealt(given: World, fields: object): Promise<object> {
  const { ContactID } = await contact(given);
  return { Contact: { ContactID }, Date: "2026-03-01", LineItems: [line], ...fields };
}

const schedule = {
  Period: 1,
  Unit: "WEEKLY",
  DueDate: 7,
  DueDateType: "DAYSAFTERBILLDATE",
  StartDate: "2026-04-01",
};

interface Parent {
  /** What a new record is made of. */
  readonly make: (given: World) => Promise<object>;
  /** What is changed in it; nothing of those that take no change. */
  readonly change?: object;
}

/** By collection, the ones of the service document and quotes. */
const parents: Readonly<Record<string, Parent>> = {
  Accounts: {
    make: async () => ({ Code: "499", Name: "Glaze", Type: "EXPENSE" }),
    change: { Name: "Glazes" },
  },
  BankTransactions: {
    make: (given) =>
      dealt(given, { Type: "SPEND", BankAccount: { Code: "090" }, LineItems: [spent] }),
    change: { Reference: "Card" },
  },
  BankTransfers: {
    make: async () => ({
      FromBankAccount: { Code: "090" },
      ToBankAccount: { Code: "091" },
      Amount: 20,
      Date: "2026-03-01",
    }),
  },
  Contacts: { make: async () => ({ Name: "Kauri" }), change: { FirstName: "Kauri" } },
  CreditNotes: {
    make: (given) => dealt(given, { Type: "ACCRECCREDIT" }),
    change: { Reference: "Back" },
  },
  Invoices: { make: (given) => dealt(given, { Type: "ACCREC" }), change: { Reference: "Two" } },
  ManualJournals: {
    make: async () => ({
      Narration: "Accrual",
      Date: "2026-03-01",
      JournalLines: [
        { LineAmount: 5, AccountCode: "400" },
        { LineAmount: -5, AccountCode: "200" },
      ],
    }),
    change: { Narration: "Accruals" },
  },
  PurchaseOrders: {
    make: (given) => dealt(given, { LineItems: [spent] }),
    change: { Reference: "Kiln" },
  },
  Quotes: { make: (given) => dealt(given, {}), change: { Title: "A kiln" } },
  ExpenseClaims: {
    make: async (given) => {
      const [{ UserID }] = (await given.ok("GET", "/Users")).Users;
      const paper = await dealt(given, { User: { UserID }, LineItems: [spent] });
      const [{ ReceiptID }] = (await given.ok("PUT", "/Receipts", paper)).Receipts;
      return { User: { UserID }, Receipts: [{ ReceiptID }] };
    },
  },
  Receipts: {
    make: async (given) => {
      const [{ UserID }] = (await given.ok("GET", "/Users")).Users;
      return dealt(given, { User: { UserID }, LineItems: [spent] });
    },
    change: { Reference: "Taxi" },
  },
  RepeatingInvoices: {
    make: (given) => dealt(given, { Type: "ACCREC", Schedule: schedule }),
    change: { Reference: "Rent" },
  },
};

const served = resources.filter(({ attachments }) => attachments !== undefined);

test("the table of attachment endpoints lists every collection whose records can have files", () => {
  expect(served.map(({ plural }) => plural).sort()).toEqual(Object.keys(parents).sort());
});

/** The only record of an answer. */
const recordOf = (answer: Json, plural: string): Json => answer[plural][0];

async function send(given: World, path: string, text: string) {
  given.now += 1;
  const answer = await given.book.transport({
    method: "PUT",
    path,
    query: [],
    headers: { accept: "application/json", "content-type": "text/plain" },
    body: new TextEncoder().encode(text),
  });
  return { status: answer.status, json: JSON.parse(await textOf(answer.body)) as Json };
}

async function bytesOf(given: World, path: string): Promise<string> {
  return textOf((await given.book.transport({ method: "GET", path, query: [], headers: {} })).body);
}

describe.each(served.map((resource) => [resource.plural, resource] as const))(
  "attachments of %s",
  (plural, { id }) => {
    const { make, change } = parents[plural] as Parent;

    test("records of the collection can have attached files, and keep HasAttachments when changed", async () => {
      const given = await world();
      const made = recordOf(await given.ok("PUT", `/${plural}`, await make(given)), plural);
      const on = `/${plural}/${made[id]}`;
      const hasFiles = async () => recordOf(await given.ok("GET", on), plural).HasAttachments;
      const listed = async () => (await given.ok("GET", `${on}/Attachments`)).Attachments;
      expect(await hasFiles()).toBe(false);
      expect(await listed()).toEqual([]);

      const first = (await send(given, `${on}/Attachments/0.txt`, "first")).json.Attachments[0];
      const again = (await send(given, `${on}/Attachments/0.txt`, "second")).json.Attachments[0];
      expect(again.AttachmentID).toBe(first.AttachmentID);
      expect(await bytesOf(given, `${on}/Attachments/0.txt`)).toBe("second");
      expect(await bytesOf(given, `${on}/Attachments/${first.AttachmentID}`)).toBe("second");
      expect(await hasFiles()).toBe(true);
      if (change !== undefined) {
        const changed = recordOf(await given.ok("POST", on, change), plural);
        expect(changed).toMatchObject(change);
        expect(await hasFiles()).toBe(true);
      }

      for (let file = 1; file < 10; file += 1) {
        expect((await send(given, `${on}/Attachments/${file}.txt`, "x")).status).toBe(200);
      }
      expect((await send(given, `${on}/Attachments/10.txt`, "x")).status).toBe(400);
      const files = await listed();
      expect(files).toHaveLength(10);
      expect(recordOf(await given.ok("GET", on), plural).Attachments).toEqual(files);
      expect(await faultsIn(given)).toEqual([]);
      for (const { FileName } of files) await given.ok("DELETE", `${on}/Attachments/${FileName}`);
      const bare = recordOf(await given.ok("GET", on), plural);
      expect(bare.HasAttachments).toBe(false);
      expect(bare).not.toHaveProperty("Attachments");
      expect(await faultsIn(given)).toEqual([]);
    });
  },
);
