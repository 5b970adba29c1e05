/** A person is erased from the books: everywhere, and so that the chain proves the rest as before. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { canonicalRows, hashOf, recordKindOf } from "../../../src/store/chain/canonical.ts";
import { decodeRecords } from "../../../src/store/chain/links.ts";
import { headOf, linksOf } from "../../../src/store/chain/stored.ts";
import type { Value } from "../../../src/store/connection/connection.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { commandHeader, operationHeader } from "../../../src/wire/http.ts";
import { faultsOfChain } from "../../store/chain/faults.ts";
import { contact, type Json, paid, sale, type World, world } from "../fixture.ts";

const person = {
  Name: "Ann Smith",
  FirstName: "Ann",
  LastName: "Smith",
  ContactNumber: "C-9071",
  EmailAddress: "ann@smith.example",
  BankAccountDetails: "12-3456-7890123-00",
  TaxNumber: "AB-123-456",
  ContactPersons: [{ FirstName: "Bo", LastName: "Lang", EmailAddress: "bo@smith.example" }],
  Addresses: [{ AddressType: "STREET", AddressLine1: "7 Hidden Lane", City: "Nelson" }],
  Phones: [{ PhoneType: "MOBILE", PhoneNumber: "555 0199" }],
};

/** What no text may have in it once she is erased. */
const personal = /Ann Smith|ann@|bo@|Bo Lang|12-3456-7890123|AB-123|Hidden Lane|555 0199|C-9071/i;

const pathOf = ({ ContactID }: Json) => `/Extensions/Erasures/${ContactID}`;
const only = (answered: Json): Json => answered.Erasures[0];
const erased = async (given: World, found: Json, query: Record<string, string> = {}) =>
  only(await given.ok("POST", pathOf(found), {}, { query }));

const within = <T>({ book }: World, work: (tx: Tx) => Promise<T>) =>
  book.store.read(book.org, work);

/** All rows of the organisation that have text, but for those of the chain. */
async function everything(given: World): Promise<string> {
  return within(given, async (tx) => {
    const { dump } = await import("../../store/books.ts");
    return dump(tx);
  });
}

const linesWith = (text: string) => text.split("\n").filter((each) => personal.test(each));

async function settled(given: World, more: Json = {}): Promise<{ known: Json; document: Json }> {
  const known = await contact(given, person);
  const { Invoices } = await given.ok("PUT", "/Invoices", {
    ...sale(known, { Status: "AUTHORISED", ...more }),
  });
  await paid(given, Invoices[0], { Amount: Invoices[0].AmountDue });
  return { known, document: Invoices[0] };
}

/** Beyond the seven years of New Zealand. */
const later = Date.UTC(2034, 5, 1);

describe("erasure of a contact without records to keep", () => {
  test("an erased contact has no personal data left, and no other record contains its name", async () => {
    const given = await world();
    const known = await contact(given, person);
    await given.ok("PUT", `/Contacts/${known.ContactID}/History`, {
      HistoryRecords: [{ Details: "Ann rang, call back on 555 0199" }],
    });
    const { ContactGroups } = await given.ok("PUT", "/ContactGroups", { Name: "Patients" });
    await given.ok("PUT", `/ContactGroups/${ContactGroups[0].ContactGroupID}/Contacts`, {
      Contacts: [{ ContactID: known.ContactID }],
    });
    expect(await everything(given)).toMatch(personal);

    const shown = only(await given.ok("GET", pathOf(known)));
    expect(shown).toMatchObject({ Groups: 1, HistoryTexts: 3 });
    expect(shown.Kept).toEqual([]);
    expect(await erased(given, known)).toEqual(shown);

    const [read] = (await given.ok("GET", `/Contacts/${known.ContactID}`)).Contacts;
    const name = `Erased ${known.ContactID.slice(0, 8)}`;
    expect(read).toMatchObject({ Name: name, ContactStatus: "GDPRREQUEST", ContactGroups: [] });
    for (const field of ["FirstName", "EmailAddress", "TaxNumber", "ContactNumber"]) {
      expect(read[field]).toBeUndefined();
    }
    expect(read.Addresses.map((each: Json) => each.AddressLine1)).toEqual([undefined, undefined]);
    expect(linesWith(await everything(given))).toEqual([]);
    const { HistoryRecords } = await given.ok("GET", `/Contacts/${known.ContactID}/History`);
    expect(HistoryRecords.map((each: Json) => [each.Changes, each.Details])).toEqual([
      ["Erased", "What was known of the person was erased."],
      ["Note", "(erased)"],
      ["Created", "(erased)"],
    ]);
  });

  test("erasing an erased contact again is accepted and changes nothing", async () => {
    const given = await world();
    const known = await contact(given, person);
    await erased(given, known);
    const before = await within(given, headOf);
    expect(await erased(given, known)).toMatchObject({ HistoryTexts: 0, Groups: 0 });
    expect(await within(given, headOf)).toEqual(before);
  });

  test("an erased contact cannot be used in a document or restored", async () => {
    const given = await world();
    const known = await contact(given, person);
    await erased(given, known);
    const id = { ContactID: known.ContactID };
    expect(await given.refused("POST", `/Contacts/${known.ContactID}/Restore`)).toEqual([
      expect.stringMatching(/was erased, which cannot be taken back/),
    ]);
    expect(await given.refused("PUT", "/Invoices", sale(id, {}))).toEqual([
      expect.stringMatching(/is archived/),
    ]);
    // Another may bear her name.
    await contact(given, person);
  });

  test("erasing a contact keeps and names its attached files, unless they are to be erased too", async () => {
    const given = await world();
    const known = await contact(given, person);
    const file = {
      method: "PUT",
      path: `/Contacts/${known.ContactID}/Attachments/passport.txt`,
      query: [],
      headers: { accept: "application/json", "content-type": "text/plain" },
      body: new TextEncoder().encode("secret"),
    } as const;
    expect(await given.book.transport(file)).toMatchObject({ status: 200 });
    expect(await erased(given, known)).toMatchObject({ Files: ["passport.txt"] });
    const list = async () =>
      (await given.ok("GET", `/Contacts/${known.ContactID}/Attachments`)).Attachments.length;
    expect(await list()).toBe(1);
    expect(await erased(given, known, { files: "true" })).toMatchObject({ FilesRemoved: true });
    expect(await list()).toBe(0);
    expect(await within(given, (tx) => faultsOfChain(tx))).toEqual([]);
  });

  test("after an erasure, repeating an earlier request by its idempotency key does not return the contact's data", async () => {
    const given = await world();
    const again = { headers: { "Idempotency-Key": "once" } };
    const { Contacts } = await given.ok("PUT", "/Contacts", person, again);
    await erased(given, Contacts[0]);
    const kept = await within(given, async (tx) => {
      const found = sql<{ body: string }>`select body from idempotency where org = ${tx.org}`;
      return (await found.execute(tx.db)).rows.map(({ body }) => body).join("\n");
    });
    expect(kept).not.toMatch(personal);
  });
});

describe("erasure of a contact with documents", () => {
  test("erasing a contact with open documents is refused, with their numbers and the remedy", async () => {
    const given = await world();
    const known = await contact(given, person);
    await given.ok("PUT", "/Invoices", sale(known, { InvoiceNumber: "A-1", Status: "AUTHORISED" }));
    await given.ok("PUT", "/Quotes", {
      Quotes: [
        {
          Contact: { ContactID: known.ContactID },
          QuoteNumber: "Q-1",
          Date: "2026-02-02",
          LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 5, AccountCode: "200" }],
        },
      ],
    });
    for (const method of ["GET", "POST"]) {
      expect(await given.refused(method, pathOf(known))).toEqual([
        expect.stringMatching(
          /^Ann Smith cannot be erased while it is needed: (invoice A-1, quote Q-1|quote Q-1, invoice A-1)\. Settle, void, decline or delete/,
        ),
      ]);
    }
    expect((await given.ok("GET", `/Contacts/${known.ContactID}`)).Contacts[0]).toMatchObject({
      Name: "Ann Smith",
      ContactStatus: "ACTIVE",
    });
  });

  test("erasing a contact keeps only the name and addresses on documents that must be kept by law, until their day", async () => {
    const given = await world();
    const { known, document } = await settled(given);
    await given.ok("PUT", `/Invoices/${document.InvoiceID}/History`, {
      HistoryRecords: [{ Details: "Sent to ann@smith.example for Ann Smith." }],
    });
    const shown = await erased(given, known);
    expect(shown).toMatchObject({
      Name: "Ann Smith",
      Kept: ["Name", "TaxNumber", "Addresses"],
      KeptBecause: expect.stringMatching(
        /^records are kept for 7 years after the financial year: Tax/,
      ),
    });
    // The invoice is of March 2026, the year ends with it.
    expect(shown.KeptUntil).toBe(`/Date(${Date.UTC(2033, 2, 31)}+0000)/`);
    const [read] = (await given.ok("GET", `/Contacts/${known.ContactID}`)).Contacts;
    expect(read).toMatchObject({ Name: "Ann Smith", TaxNumber: "AB-123-456" });
    expect([read.EmailAddress, read.BankAccountDetails]).toEqual([undefined, undefined]);
    const { HistoryRecords } = await given.ok("GET", `/Invoices/${document.InvoiceID}/History`);
    expect(HistoryRecords[0].Details).toBe("Sent to (erased) for Ann Smith.");

    given.now = later;
    const before = (await given.ok("GET", `/Invoices/${document.InvoiceID}`)).Invoices[0];
    expect(await erased(given, known)).toMatchObject({ Name: expect.stringMatching(/^Erased /) });
    expect(linesWith(await everything(given))).toEqual([]);
    const after = (await given.ok("GET", `/Invoices/${document.InvoiceID}`)).Invoices[0];
    const { Contact: _, ...amounts } = before;
    expect(after).toMatchObject({ ...amounts, Contact: { ContactID: known.ContactID } });
    expect(await within(given, (tx) => faultsOfChain(tx))).toEqual([]);
  });

  test("erasing a contact reports documents that mention it in free text, and leaves them unchanged", async () => {
    const given = await world();
    const { known, document } = await settled(given, {
      InvoiceNumber: "A-7",
      Reference: "for ANN SMITH",
    });
    given.now = later;
    expect((await erased(given, known)).Mentions).toEqual(["invoice A-7"]);
    const [read] = (await given.ok("GET", `/Invoices/${document.InvoiceID}`)).Invoices;
    expect(read.Reference).toBe("for ANN SMITH");
  });
});

describe("the hash chain after an erasure", () => {
  test("after an erasure the hash chain still matches an earlier seal, and shows a later change", async () => {
    const given = await world();
    given.isTampered = true;
    const { known } = await settled(given);
    const seal = await within(given, headOf);
    given.now = later;
    await erased(given, known);
    const faults = await given.book.store.write(
      given.book.org,
      async (tx) => {
        const untouched = await faultsOfChain(tx, seal);
        const set = sql`update contact set name = 'Somebody' where org = ${tx.org} and id = ${known.ContactID}`;
        await set.execute(tx.db);
        const { number } = await headOf(tx);
        return { untouched, links: number - seal.number, changed: await faultsOfChain(tx, seal) };
      },
      { dryRun: true },
    );
    expect(faults).toEqual({
      untouched: [],
      links: 1,
      changed: [expect.stringMatching(/^Contact Somebody \(\S+\): changed outside of the program/)],
    });
  });

  test("after an erasure no hash remains against which a guess of the erased data could be tested", async () => {
    const given = await world();
    const known = await contact(given, person);
    const kind = recordKindOf("contact");
    if (kind === undefined) throw new Error("Contacts are in the chain.");
    const rowNow = () =>
      within(given, async (tx) => {
        const columns = sql.join(kind.columns.map((name) => sql.id(name)));
        const { rows } = await sql<Record<string, Value>>`select ${columns} from contact
          where org = ${tx.org} and id = ${known.ContactID}`.execute(tx.db);
        return kind.columns.map((name) => rows[0]?.[name] ?? null);
      });
    const hashesOf = () =>
      within(given, async (tx) => {
        const found = new Set<string>();
        for await (const { records } of linksOf(tx)) {
          decodeRecords(records, (_, { hash }) => void found.add(hash));
        }
        return found;
      });
    const before = await rowNow();
    const hash = (row: readonly Value[]) => hashOf(kind, [canonicalRows(kind, kind.columns)(row)]);
    // With its salt the row is what was hashed; without, whoever knows all else finds nothing.
    const saltAt = kind.columns.indexOf("salt");
    expect(before[saltAt]).toMatch(/^[\w-]{22}$/);
    expect(await hashesOf()).toContain(hash(before));
    await erased(given, known);
    const after = await rowNow();
    expect(after[saltAt]).toMatch(/^[\w-]{22}$/);
    expect(after[saltAt]).not.toBe(before[saltAt]);
    const hashes = await hashesOf();
    expect(hashes).toContain(hash(before));
    for (const salt of [null, "", after[saltAt] ?? null]) {
      expect(hashes).not.toContain(hash(before.with(saltAt, salt)));
    }
    const salts = await everything(given);
    expect(salts).not.toContain(before[saltAt]);
  });
});

describe("the log of operations after an erasure", () => {
  const named = (text: string) => ({
    headers: {
      [operationHeader]: `00000000-0000-7000-8000-${text.padStart(12, "0")}`,
      [commandHeader]: encodeURIComponent("acct contact update 'Ann Smith' --email-address x"),
    },
  });

  test("the log of operations after an erasure says that the contact was changed and erased, without its data", async () => {
    const given = await world();
    const known = await contact(given, { ...person, EmailAddress: "first@smith.example" });
    const change = { EmailAddress: person.EmailAddress };
    await given.ok("POST", `/Contacts/${known.ContactID}`, change, named("1"));
    await given.ok("POST", pathOf(known), {}, named("2"));
    const kept = await within(given, async (tx) => {
      const rows = sql<{ command: string | null; effects: string }>`
        select command, effects from operation where org = ${tx.org} order by number`;
      return (await rows.execute(tx.db)).rows;
    });
    expect(kept.map(({ command }) => command).filter(Boolean)).toEqual([
      "acct contact update '(erased)' --email-address x",
      "acct contact update '(erased)' --email-address x",
    ]);
    expect(kept.filter((each) => /smith/i.test(JSON.stringify(each)))).toEqual([]);
    const { Operations } = await given.ok("GET", "/Extensions/Operations", undefined, {
      query: { record: known.ContactID },
    });
    expect(Operations).toHaveLength(kept.length);
    expect(await within(given, (tx) => faultsOfChain(tx))).toEqual([]);
  });
});
