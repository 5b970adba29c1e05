import { afterAll, describe, expect, test } from "vitest";
import type { Contact } from "../../../src/resources/contact.ts";
import { type Fields, idOf, type Resource } from "../../../src/resources/field.ts";
import {
  account,
  contact,
  invoice,
  item,
  organisation,
  payment,
  taxRate,
  trackingCategory,
  trackingOption,
} from "../../../src/resources/index.ts";
import {
  fetch,
  filterFields,
  type ListQuery,
  list,
  remove,
  type StoredRecord,
  save,
  saveNew,
} from "../../../src/store/mapping/records.ts";
import { storedResources, tableOf } from "../../../src/store/schema/tables.ts";
import type { Store } from "../../../src/store/store.ts";
import { compareText, fold } from "../../../src/wire/fold.ts";
import { parseOrder } from "../../../src/wire/query/order.ts";
import type { Comparison, FilterField, Where } from "../../../src/wire/query/tree.ts";
import { parseWhere } from "../../../src/wire/query/where.ts";
import { fc, runs } from "../../support/properties.ts";
import { matches } from "../../wire/matches.ts";
import {
  organisation as anOrganisation,
  anyRecord,
  anyText,
  anyValue,
  guid,
  newId,
} from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

function hiddenOf(resource: Resource): Fields {
  const table = tableOf(resource);
  return Object.fromEntries(
    table.columns
      .filter(({ field }) => !Object.hasOwn(resource.fields, field))
      .map(({ field, description }) => [
        field,
        field === "TrackingCategoryID" ? { ...description, always: true } : description,
      ]),
  );
}

/** Makes what must be unique so, and each record the only one of its id. */
function distinct(resource: Resource, records: readonly StoredRecord[]): StoredRecord[] {
  return records.map((record) => {
    const own = { ...record, [resource.id]: newId() } as StoredRecord;
    for (const { field } of tableOf(resource).unique) {
      if (own[field] !== undefined) own[field] = `${String(own[field])} ${newId()}`;
    }
    // A bank transaction is a side of one transfer.
    for (const side of ["FromBankTransactionID", "ToBankTransactionID"]) {
      if (own[side] !== undefined) own[side] = newId();
    }
    return own;
  });
}

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());
  const numRuns = runs(world.name === "SQLite" ? 200 : 60);

  async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
    const store = await storeIn(await world.empty());
    try {
      await work(store);
    } finally {
      await store.close();
    }
  }

  test.each(
    storedResources
      .filter((each) => each !== organisation)
      .map((each) => [each.name, each] as const),
  )(
    "a stored and then changed %s is read back with the same fields",
    (_name, resource) =>
      withStore((store) =>
        fc.assert(
          fc.asyncProperty(
            fc.array(
              fc.tuple(
                anyRecord(resource, hiddenOf(resource)),
                anyRecord(resource, hiddenOf(resource)),
              ),
              {
                minLength: 1,
                maxLength: 3,
              },
            ),
            async (pairs) => {
              const first = distinct(
                resource,
                pairs.map(([made]) => made),
              );
              const ids = first.map((record) => record[resource.id] as string);
              await store.write(1, (tx) => save(tx, resource, first));
              expect(await store.read(1, (tx) => fetch(tx, resource, resource.id, ids))).toEqual(
                first,
              );
              const once = tableOf(resource).columns.filter((column) => column.isOnce);
              const changed = distinct(
                resource,
                pairs.map(([, next]) => next),
              ).map((record, i) => {
                const own: StoredRecord = { ...record, [resource.id]: ids[i] };
                for (const { field } of once) {
                  delete own[field];
                  if (first[i]?.[field] !== undefined) own[field] = first[i]?.[field];
                }
                return own;
              });
              const sent = changed.map((record) =>
                once.every(({ field }) => field !== "CreatedDateUTC")
                  ? record
                  : { ...record, CreatedByApp: "another", CreatedDateUTC: 1 },
              );
              await store.write(1, (tx) => save(tx, resource, sent));
              expect(await store.read(1, (tx) => fetch(tx, resource, resource.id, ids))).toEqual(
                changed,
              );
            },
          ),
          { numRuns: Math.ceil(numRuns / 4), interruptAfterTimeLimit: 30_000 },
        ),
      ),
    600_000,
  );

  // --- conditions --------------------------------------------------------------------------------

  const contactCount = 6;
  const documentCount = 40;

  /** Contacts and documents that share few values, so that conditions hold of some. */
  function anyBook() {
    const few = (name: string, arbitrary: fc.Arbitrary<unknown>) =>
      fc.array(arbitrary, { minLength: 3, maxLength: 5 }).map((values) => [name, values] as const);
    const fields = Object.entries(invoice.fields as Fields).filter(
      ([, field]) => field.computed !== true,
    );
    return fc
      .record({
        contacts: fc.array(anyRecord(contact), {
          minLength: contactCount,
          maxLength: contactCount,
        }),
        documents: fc.array(anyRecord(invoice, hiddenOf(invoice)), {
          minLength: documentCount,
          maxLength: documentCount,
        }),
        values: fc.tuple(...fields.map(([name, field]) => few(name, anyValue(field)))),
        picks: fc.array(fc.nat(), { minLength: documentCount * 5, maxLength: documentCount * 5 }),
      })
      .map(({ contacts, documents, values, picks }) => {
        const people = distinct(contact, contacts);
        let pick = 0;
        const next = () => picks[pick++ % picks.length] as number;
        const papers = documents.map((document, i) => {
          const own: StoredRecord = {
            ...document,
            InvoiceID: guid(0x1000 + ((i * 7) % documentCount)),
          };
          for (const [name, among] of values) {
            if (own[name] !== undefined && name !== "InvoiceID")
              own[name] = among[next() % among.length];
          }
          const person = people[next() % people.length] as StoredRecord;
          own.Contact = { ContactID: person.ContactID };
          // A number may stand on one live sales invoice only.
          if (own.Type === "ACCREC") own.Status = "VOIDED";
          return own;
        });
        return { contacts: people as unknown as Contact[], documents: papers };
      });
  }

  const paths = [
    ...Object.keys(invoice.fields),
    ...Object.keys(contact.fields).map((name) => `Contact.${name}`),
  ].flatMap((path) => filterFields(invoice)(path.split(".")) ?? []);

  type Book = { contacts: Contact[]; documents: StoredRecord[] };

  /** The value of a path, of a document with its contact beside it. */
  function valueIn({ contacts }: Book, document: StoredRecord) {
    return (path: string): unknown => {
      if (!path.startsWith("Contact.")) return document[path];
      const id = (document.Contact as Contact).ContactID;
      const person = contacts.find((each) => each.ContactID === id) as StoredRecord | undefined;
      return person?.[path.slice("Contact.".length)];
    };
  }

  const equality = ["=", "!="] as const;
  const order = ["=", "!=", "<", "<=", ">", ">="] as const;

  /** Any condition the parser could make, on values that the documents have, or others. */
  function anyWhere(book: Book): fc.Arbitrary<Where> {
    const valuesOf = (field: FilterField) => {
      const known = book.documents.map((each) => valueIn(book, each)(field.path));
      const present = known.filter((value) => value !== undefined) as (string | number)[];
      const other: fc.Arbitrary<string | number | boolean> =
        field.kind === "boolean"
          ? fc.boolean()
          : field.kind === "choice"
            ? fc.constantFrom(...(field.choices as string[]))
            : field.kind === "text"
              ? anyText
              : field.kind === "id"
                ? fc.constant(guid(1))
                : field.kind === "date"
                  ? fc.constantFrom("2020-02-29", "2026-01-01", "2031-12-31")
                  : fc.integer({ min: -600, max: 600 });
      return present.length === 0 ? other : fc.oneof(fc.constantFrom(...present), other);
    };
    const compare = fc.constantFrom(...paths).chain((field) =>
      fc.record({
        op: fc.constant("compare" as const),
        field: fc.constant(field),
        cmp: fc.constantFrom<Comparison>(
          ...(field.kind === "id" || field.kind === "boolean" || field.kind === "choice"
            ? equality
            : field.kind === "text"
              ? (["<", "<=", ">", ">="] as const)
              : order),
        ),
        value: valuesOf(field),
      }),
    );
    const missing = fc.record({
      op: fc.constant("compare" as const),
      field: fc.constantFrom(...paths),
      cmp: fc.constantFrom(...equality),
      value: fc.constant(null),
    });
    const texts = paths.filter((field) => field.kind === "text");
    const text = fc.constantFrom(...texts).chain((field) =>
      fc.record({
        op: fc.constant("text" as const),
        field: fc.constant(field),
        test: fc.constantFrom(
          "equals" as const,
          "contains" as const,
          "startsWith" as const,
          "endsWith" as const,
        ),
        value: fc
          .tuple(valuesOf(field).map(String), fc.nat(3), fc.nat(3))
          .map(([value, from, to]) =>
            [...value].slice(from % 2, to === 0 ? undefined : to).join(""),
          ),
      }),
    );
    const fields = fc.constantFrom(...paths).chain((left) => {
      const textual = (field: FilterField) => field.kind === "text" || field.kind === "choice";
      const same = paths.filter(
        (right) =>
          (right.kind === left.kind || (textual(left) && textual(right))) &&
          (right.scale ?? 0) === (left.scale ?? 0),
      );
      return fc.record({
        op: fc.constant("compareFields" as const),
        left: fc.constant(left),
        cmp: fc.constantFrom<Comparison>(
          ...(left.kind === "id" || left.kind === "boolean" ? equality : order),
        ),
        right: fc.constantFrom(...same),
      });
    });
    const { where } = fc.letrec<{ where: Where; leaf: Where }>((tie) => ({
      leaf: fc.oneof(compare, missing, text, fields) as fc.Arbitrary<Where>,
      where: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        tie("leaf"),
        fc.record({
          op: fc.constantFrom("and" as const, "or" as const),
          args: fc.array(tie("where"), { minLength: 2, maxLength: 4 }),
        }),
        fc.record({ op: fc.constant("not" as const), arg: tie("where") }),
      ) as fc.Arbitrary<Where>,
    }));
    return where;
  }

  const anyOrder = fc
    .uniqueArray(fc.constantFrom(...paths), { selector: (field) => field.path, maxLength: 3 })
    .chain((fields) =>
      fc.tuple(
        ...fields.map((field) =>
          fc.record({
            field: fc.constant(field),
            direction: fc.constantFrom("asc" as const, "desc" as const),
          }),
        ),
      ),
    );

  function compareValues(field: FilterField, a: unknown, b: unknown): number {
    if (a === undefined || b === undefined) {
      return a === b ? 0 : a === undefined ? -1 : 1;
    }
    if (field.kind === "text") return compareText(fold(String(a)), fold(String(b)));
    const [x, y] = [a as number, b as number];
    return x < y ? -1 : x > y ? 1 : 0;
  }

  test("a where filter and an order give the same records in SQL as computed in memory", async () => {
    await withStore(async (store) => {
      await fc.assert(
        fc.asyncProperty(
          anyBook().chain((book) =>
            fc.record({
              book: fc.constant(book),
              queries: fc.array(
                fc.record({
                  where: anyWhere(book),
                  order: anyOrder,
                  limit: fc.option(fc.nat(10), { nil: undefined }),
                  offset: fc.option(fc.nat(10), { nil: undefined }),
                }),
                { minLength: 10, maxLength: 20 },
              ),
            }),
          ),
          async ({ book, queries }) => {
            const { contacts, documents } = book;
            await store.write(1, async (tx) => {
              await save(tx, contact, contacts);
              await save(tx, invoice, documents);
            });
            for (const { where, order: terms, limit, offset } of queries) {
              const expected = documents
                .filter((document) => matches(where, valueIn(book, document)))
                .sort((a, b) => {
                  for (const { field, direction } of terms) {
                    const [x, y] = [valueIn(book, a)(field.path), valueIn(book, b)(field.path)];
                    const difference = compareValues(field, x, y);
                    if (difference !== 0) return direction === "asc" ? difference : -difference;
                  }
                  const ids = compareText(a.InvoiceID as string, b.InvoiceID as string);
                  return terms.at(-1)?.direction === "desc" ? -ids : ids;
                })
                .map((document) => document.InvoiceID);
              const query: ListQuery = { where, order: terms, limit, offset, count: true };
              const found = await store.read(1, (tx) => list(tx, invoice, query));
              const from = offset ?? 0;
              expect(found.count).toBe(expected.length);
              expect(found.records.map((record) => record.InvoiceID)).toEqual(
                expected.slice(from, limit === undefined ? undefined : from + limit),
              );
            }
            await store.write(1, async (tx) => {
              await remove(
                tx,
                invoice,
                documents.map((each) => each.InvoiceID as string),
              );
              await remove(
                tx,
                contact,
                contacts.map((each) => each.ContactID),
              );
            });
          },
        ),
        { numRuns: Math.ceil(numRuns / 4), interruptAfterTimeLimit: 30_000 },
      );
    });
  });

  test("the database compares letter case as the program does", async () => {
    await withStore(async (store) => {
      const field = filterFields(contact)(["FirstName"]) as FilterField;
      await fc.assert(
        fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 20 }), async (texts) => {
          const people = texts.map((FirstName) => person({ FirstName, Name: newId() }));
          await store.write(1, (tx) => save(tx, contact, people));
          for (const value of texts) {
            const where: Where = { op: "text", field, test: "equals", value };
            const { records } = await store.read(1, (tx) => list(tx, contact, { where }));
            expect(records.map((each) => each.FirstName).sort()).toEqual(
              texts.filter((text) => fold(text) === fold(value)).sort(),
            );
          }
          await store.write(1, (tx) =>
            remove(
              tx,
              contact,
              people.map((each) => each.ContactID),
            ),
          );
        }),
        { numRuns, interruptAfterTimeLimit: 30_000 },
      );
    });
  });

  test("a where filter of the largest permitted size is answered", () =>
    withStore(async (store) => {
      const field = filterFields(invoice)(["Reference"]) as FilterField;
      const args = Array.from(
        { length: 800 },
        (_, i): Where => ({
          op: "not",
          arg: { op: "text", field, test: "contains", value: `x${i}` },
        }),
      );
      let where: Where = { op: "or", args };
      for (let depth = 0; depth < 62; depth += 1) where = { op: "not", arg: where };
      expect(await store.read(1, (tx) => list(tx, invoice, { where }))).toEqual({ records: [] });
    }));

  // --- lists and keys ----------------------------------------------------------------------------

  function person(more: Partial<Contact> & { Name: string }): Contact {
    return {
      ContactID: newId(),
      ContactStatus: "ACTIVE",
      IsSupplier: false,
      IsCustomer: false,
      HasAttachments: false,
      UpdatedDateUTC: 0,
      ...more,
    };
  }

  function document(more: StoredRecord): StoredRecord {
    return {
      InvoiceID: newId(),
      Type: "ACCREC",
      Contact: { ContactID: guid(1) },
      Date: "2026-01-31",
      Status: "DRAFT",
      LineAmountTypes: "Exclusive",
      SubTotal: 0,
      TotalTax: 0,
      Total: 0,
      UpdatedDateUTC: 0,
      CurrencyCode: "NZD",
      CurrencyRate: 1_000_000,
      SentToContact: false,
      HasAttachments: false,
      AmountDue: 0,
      AmountPaid: 0,
      AmountCredited: 0,
      ...more,
    };
  }

  test("records are found by any key, in any letter case and with any accents, also by referenced records", () =>
    withStore(async (store) => {
      const [ana, zoe] = [
        person({ Name: "Ána Ruiz", ContactID: guid(0xabc) }),
        person({ Name: "Zoë", ContactNumber: "Z-1" }),
      ];
      const one = document({ InvoiceNumber: "INV-0001", Contact: { ContactID: ana.ContactID } });
      const two = document({ InvoiceNumber: "inv-0002", Contact: { ContactID: zoe.ContactID } });
      await store.write(1, async (tx) => {
        await save(tx, contact, [ana, zoe]);
        await save(tx, invoice, [one, two]);
      });
      await store.read(1, async (tx) => {
        const names = async (field: string, ...values: string[]) =>
          (await fetch(tx, contact, field, values)).map((each) => each.Name);
        expect(await names("Name", "ANA RUIZ", "ana ruiz", "nobody")).toEqual(["Ána Ruiz"]);
        expect(await names("ContactNumber", "z-1")).toEqual(["Zoë"]);
        expect(await names("ContactID", ana.ContactID.toUpperCase())).toEqual([]);
        expect(await names("ContactID")).toEqual([]);
        const numbers = async (field: string, ...values: string[]) =>
          (await fetch(tx, invoice, field, values)).map((each) => each.InvoiceNumber);
        expect(await numbers("InvoiceNumber", "inv-0001", "INV-0002")).toEqual([
          "INV-0001",
          "inv-0002",
        ]);
        expect(await numbers("Contact.ContactID", zoe.ContactID)).toEqual(["inv-0002"]);
        expect(await numbers("Contact.Name", "ZOE")).toEqual(["inv-0002"]);
        const many = Array.from({ length: 3000 }, () => newId());
        expect(await numbers("InvoiceID", ...many, one.InvoiceID as string)).toEqual(["INV-0001"]);
      });
    }));

  test("a reference to a record shows the fields of that record that the schema names", () =>
    withStore(async (store) => {
      const zoe = person({ Name: "Zoë", ContactNumber: "Z-1", EmailAddress: "z@example.com" });
      const bank = {
        AccountID: newId(),
        Code: "090",
        Name: "Bank",
        Type: "BANK",
        Status: "ACTIVE",
      };
      const bill = document({
        Type: "ACCPAY",
        InvoiceNumber: "B7",
        Contact: { ContactID: zoe.ContactID },
      });
      const paid = {
        PaymentID: newId(),
        Invoice: { InvoiceID: bill.InvoiceID },
        Account: { AccountID: bank.AccountID },
        Date: "2026-02-01",
        Amount: 100,
        Status: "AUTHORISED",
        PaymentType: "ACCPAYPAYMENT",
        UpdatedDateUTC: 1,
        CreditNote: { CreditNoteID: guid(9) },
      };
      await store.write(1, async (tx) => {
        await save(tx, contact, [zoe]);
        await save(tx, account, [bank]);
        await save(tx, invoice, [bill]);
        await save(tx, payment, [paid]);
      });
      await store.read(1, async (tx) => {
        const [found] = await fetch(tx, invoice, "InvoiceID", [bill.InvoiceID as string]);
        expect(found?.Contact).toEqual({
          ContactID: zoe.ContactID,
          ContactNumber: "Z-1",
          Name: "Zoë",
        });
        const [shown] = (await list(tx, payment)).records;
        expect(shown).toMatchObject({
          Invoice: {
            InvoiceID: bill.InvoiceID,
            InvoiceNumber: "B7",
            Type: "ACCPAY",
            CurrencyCode: "NZD",
            Contact: { ContactID: zoe.ContactID, Name: "Zoë" },
          },
          Account: { AccountID: bank.AccountID, Code: "090", Name: "Bank" },
          CreditNote: { CreditNoteID: guid(9) },
        });
        expect(shown?.Prepayment).toBeUndefined();
        const name = filterFields(payment)(["Invoice", "Contact", "Name"]) as FilterField;
        const where: Where = { op: "text", field: name, test: "startsWith", value: "zo" };
        expect((await list(tx, payment, { where, count: true })).count).toBe(1);
      });
    }));

  test("a list is filtered by values, ranges, time, text and app, each alone and all together", () =>
    withStore(async (store) => {
      const made = Array.from({ length: 9 }, (_, i) =>
        document({
          InvoiceNumber: `INV-${i}`,
          Reference: i % 2 === 0 ? "Größe" : "Farbe",
          Date: `2026-01-0${i + 1}`,
          UpdatedDateUTC: i,
          CreatedByApp: i < 5 ? "acct" : "shop",
          Total: i * 100,
          SubTotal: i * 100,
          AmountDue: i * 100,
        }),
      );
      await store.write(1, (tx) => save(tx, invoice, made));
      const numbers = async (query: ListQuery) => {
        const { records, count } = await store.read(1, (tx) =>
          list(tx, invoice, { ...query, count: true }),
        );
        expect(count).toBe(records.length);
        return records.map((each) => String(each.InvoiceNumber).slice(4)).join("");
      };
      expect(await numbers({})).toBe("012345678");
      expect(
        await numbers({ in: [{ field: "InvoiceNumber", values: ["inv-3", "INV-5", "x"] }] }),
      ).toBe("35");
      expect(await numbers({ in: [{ field: "Status", values: [] }] })).toBe("");
      expect(await numbers({ in: [{ field: "Status", values: ["DRAFT", "PAID"] }] })).toBe(
        "012345678",
      );
      expect(await numbers({ in: [{ field: "Contact.ContactID", values: [guid(1)] }] })).toBe(
        "012345678",
      );
      expect(
        await numbers({ ranges: [{ field: "Date", from: "2026-01-03", to: "2026-01-05" }] }),
      ).toBe("234");
      expect(await numbers({ ranges: [{ field: "Total", from: 700 }] })).toBe("78");
      expect(await numbers({ modifiedSince: 6 })).toBe("678");
      expect(
        await numbers({ search: { fields: ["InvoiceNumber", "Reference"], text: "GROSSE" } }),
      ).toBe("");
      expect(
        await numbers({ search: { fields: ["InvoiceNumber", "Reference"], text: "GRÖß" } }),
      ).toBe("02468");
      expect(
        await numbers({ search: { fields: ["InvoiceNumber", "Reference"], text: "v-7" } }),
      ).toBe("7");
      expect(await numbers({ createdByApp: "acct" })).toBe("01234");
      expect(
        await numbers({
          createdByApp: "acct",
          modifiedSince: 1,
          search: { fields: ["Reference"], text: "gro" },
          ranges: [{ field: "Date", to: "2026-01-04" }],
        }),
      ).toBe("2");
      const { records } = await store.read(1, (tx) => list(tx, invoice, { limit: 0 }));
      expect(records).toEqual([]);
    }));

  test("a search for a part of a text finds the same in a large table, however many there are", () =>
    withStore(async (store) => {
      const people = ["Zoë", "Kauri Hotel", "Pipi"].map((Name) => person({ Name }));
      const made = Array.from({ length: 4_200 }, (_, i) =>
        document({
          InvoiceNumber: `INV-${String(i).padStart(4, "0")}`,
          ...(i % 700 === 6 && { Reference: `Größe ${i}` }),
          Contact: { ContactID: people[i % 100 === 8 ? 0 : i % 3 === 0 ? 1 : 2]?.ContactID },
          Type: i % 2 === 0 ? "ACCREC" : "ACCPAY",
          Total: i,
        }),
      );
      const paid = made.slice(0, 1_100).map(({ InvoiceID }, i) => ({
        PaymentID: newId(),
        Invoice: { InvoiceID },
        Account: { AccountID: guid(3) },
        Date: "2026-02-01",
        Amount: i,
        ...(i % 500 === 1 && { Reference: `Zahlung ${i}` }),
        Status: "AUTHORISED",
        PaymentType: "ACCRECPAYMENT",
        UpdatedDateUTC: i,
      }));
      await store.write(1, async (tx) => {
        await save(tx, contact, people);
        await saveNew(tx, invoice, made);
        await saveNew(tx, payment, paid);
      });
      const documentById = new Map(made.map((each) => [each.InvoiceID, each]));
      const value = (record: StoredRecord) => (path: string) => {
        const of = record as { Contact?: Partial<Contact>; Invoice?: StoredRecord };
        if (path === "Contact.Name")
          return people.find(({ ContactID }) => ContactID === of.Contact?.ContactID)?.Name;
        if (path === "Invoice.InvoiceNumber")
          return documentById.get(of.Invoice?.InvoiceID)?.InvoiceNumber;
        return record[path];
      };
      const expectFound = async (resource: Resource, all: readonly object[], text: string) => {
        const where = parseWhere(text, resource.name, filterFields(resource));
        const order = parseOrder("Date DESC", resource.name, filterFields(resource));
        const ids = all
          .filter((record) => matches(where, value(record as StoredRecord)))
          .map((record) => idOf(resource, record))
          .sort(compareText)
          .reverse();
        for (const offset of [0, 10]) {
          const page = await store.read(1, (tx) =>
            list(tx, resource, { where, order, limit: 10, offset, count: true }),
          );
          const found = page.records.map((record) => idOf(resource, record));
          expect(found, text).toEqual(ids.slice(offset, offset + 10));
          expect(page.count, text).toBe(ids.length);
        }
        return ids.length;
      };
      const searched = (part: string, total: string) =>
        `Type=="ACCREC" AND (InvoiceNumber.Contains("${part}") OR Reference.Contains("${part}") OR Contact.Name.Contains("${part}") OR Total==${total})`;
      const found = async (part: string, total = "0.01") =>
        expectFound(invoice, made, searched(part, total));
      expect(await found("v-123")).toBe(5);
      expect(await found("GRÖßE")).toBe(6);
      expect(await found("zoe")).toBe(42);
      expect(await found("kauri")).toBe(686);
      expect(await found("inv-", "0")).toBe(2_100);
      expect(await found("no such", "12.34")).toBe(1);
      expect(await expectFound(invoice, made, 'InvoiceNumber.Contains("99")')).toBe(78);
      expect(await expectFound(invoice, made, 'NOT InvoiceNumber.Contains("99")')).toBe(4_122);
      const paidWith = (part: string) =>
        `Reference.Contains("${part}") OR Invoice.InvoiceNumber.Contains("${part}")`;
      expect(await expectFound(payment, paid, paidWith("zahlung"))).toBe(3);
      expect(await expectFound(payment, paid, paidWith("99"))).toBe(20);
      expect(await expectFound(payment, paid, paidWith("inv-"))).toBe(1_100);
    }));

  test("removing records deletes only those records", () =>
    withStore(async (store) => {
      const items = ["A", "B", "C"].map((Code) => ({
        ItemID: newId(),
        Code,
        IsSold: true,
        IsPurchased: true,
        IsTrackedAsInventory: false,
        UpdatedDateUTC: 0,
      }));
      await store.write(1, async (tx) => {
        await save(tx, item, items);
        await remove(tx, item, [items[1]?.ItemID as string, newId()]);
      });
      const { records } = await store.read(1, (tx) => list(tx, item));
      expect(records.map((each) => each.Code)).toEqual(["A", "C"]);
    }));

  // --- what must be unique -----------------------------------------------------------------------

  const rate = (more: StoredRecord): StoredRecord => ({
    Name: "GST",
    TaxType: "OUTPUT2",
    Status: "ACTIVE",
    DisplayTaxRate: 0,
    EffectiveRate: 0,
    ...more,
  });
  const one = (more: StoredRecord): StoredRecord => ({
    AccountID: newId(),
    Code: "200",
    Name: "Sales",
    Status: "ACTIVE",
    Type: "SALES",
    ...more,
  });
  const unique: [string, Resource, string, StoredRecord, StoredRecord, StoredRecord][] = [
    [
      "account",
      account,
      "Code",
      one({ Name: "A" }),
      one({ Name: "B" }),
      one({ Name: "C", Status: "DELETED" }),
    ],
    [
      "account",
      account,
      "Name",
      one({ Code: "1" }),
      one({ Code: "2", Name: "SALÉS" }),
      one({ Code: "3", Status: "ARCHIVED" }),
    ],
    [
      "contact",
      contact,
      "Name",
      { ...person({ Name: "Ana" }) },
      { ...person({ Name: "ÁNA" }) },
      { ...person({ Name: "Ana", ContactStatus: "ARCHIVED" }) },
    ],
    [
      "contact",
      contact,
      "ContactNumber",
      { ...person({ Name: "A", ContactNumber: "1a" }) },
      { ...person({ Name: "B", ContactNumber: "1A" }) },
      { ...person({ Name: "C" }) },
    ],
    [
      "tax rate",
      taxRate,
      "Name",
      rate({}),
      rate({ TaxType: "TAX001", Name: "gst" }),
      rate({ TaxType: "TAX002", Status: "DELETED" }),
    ],
    [
      "tracking",
      trackingCategory,
      "Name",
      { TrackingCategoryID: newId(), Name: "Region", Status: "ACTIVE" },
      { TrackingCategoryID: newId(), Name: "region", Status: "ACTIVE" },
      { TrackingCategoryID: newId(), Name: "Region", Status: "DELETED" },
    ],
    [
      "tracking option",
      trackingOption,
      "Name",
      { TrackingOptionID: newId(), TrackingCategoryID: guid(1), Name: "North", Status: "ACTIVE" },
      { TrackingOptionID: newId(), TrackingCategoryID: guid(1), Name: "NORTH", Status: "ARCHIVED" },
      { TrackingOptionID: newId(), TrackingCategoryID: guid(2), Name: "North", Status: "ACTIVE" },
    ],
    [
      "item",
      item,
      "Code",
      { ItemID: newId(), Code: "mug", UpdatedDateUTC: 0 },
      { ItemID: newId(), Code: "MUG", UpdatedDateUTC: 0 },
      { ItemID: newId(), Code: "mug2", UpdatedDateUTC: 0 },
    ],
    [
      "invoice",
      invoice,
      "InvoiceNumber",
      document({ InvoiceNumber: "INV-1" }),
      document({ InvoiceNumber: "inv-1" }),
      document({ InvoiceNumber: "INV-1", Status: "VOIDED" }),
    ],
    [
      "invoice",
      invoice,
      "InvoiceNumber",
      document({ InvoiceNumber: "INV-1" }),
      document({ InvoiceNumber: "INV-1", Status: "PAID" }),
      document({ InvoiceNumber: "INV-1", Type: "ACCPAY" }),
    ],
  ];

  test.each(unique)(
    "two %ss with the same key, of which none is deleted, are refused: case %#",
    (noun, resource, field, first, taken, free) =>
      withStore(async (store) => {
        await store.write(1, (tx) => save(tx, resource, [first, free]));
        const before = await store.read(1, (tx) => list(tx, resource));
        await expect(store.write(1, (tx) => save(tx, resource, [taken]))).rejects.toMatchObject({
          name: "RefusedError",
          code: "NotUnique",
          message: `Another ${noun} has the same ${field}.`,
        });
        expect(await store.read(1, (tx) => list(tx, resource))).toEqual(before);
      }),
  );

  test("storing an amount that is not an integer throws an error", () =>
    withStore(async (store) => {
      const work = store.write(1, (tx) => save(tx, invoice, [document({ Total: 0.1 })]));
      await expect(work).rejects.toThrow("Total must be an integer, not 0.1.");
    }));

  test("the settings of an organisation are stored and read back", () =>
    withStore(async (store) => {
      const { records } = await store.read(1, (tx) => list(tx, organisation));
      expect(records).toEqual([anOrganisation()]);
    }));
});
