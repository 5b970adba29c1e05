/** Lines, history, numbers, answers, moves, uses and balances: what stands beside the records. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Quantity } from "../../../src/resources/decimal.ts";
import {
  account as accounts,
  contact,
  invoice,
  item,
  taxRate,
  trackingCategory,
  trackingOption,
} from "../../../src/resources/index.ts";
import { type LineItem, lineItemFields } from "../../../src/resources/line-item.ts";
import { raiseSequence, sequenceOf, takeNumbers } from "../../../src/store/chain/sequences.ts";
import { addMoves, movesOf } from "../../../src/store/ledger/stock-moves.ts";
import { linesOf, saveLines } from "../../../src/store/mapping/line-items.ts";
import { fetch, list, save } from "../../../src/store/mapping/records.ts";
import { contactBalances } from "../../../src/store/queries/contacts/contacts.ts";
import { isUsed } from "../../../src/store/queries/references.ts";
import { addHistory, historyOf } from "../../../src/store/records/history.ts";
import type { Store } from "../../../src/store/store.ts";
import {
  deleteAnswers,
  deleteOldAnswers,
  findAnswer,
  saveAnswer,
} from "../../../src/store/transactions/idempotency.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { fc } from "../../support/properties.ts";
import { enter, ids } from "../books.ts";
import { account, anyValue, cents, guid, newId } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

describe.each(worlds.map((make) => make()))("$name", (world) => {
  let store: Store;
  const write = <T>(work: (tx: Tx) => Promise<T>) => store.write(1, work);
  const read = <T>(work: (tx: Tx) => Promise<T>) => store.read(1, work);
  beforeEach(async () => {
    store = await storeIn(await world.empty());
  });
  afterEach(() => store.close());
  afterAll(() => world.close());

  // --- lines -------------------------------------------------------------------------------------

  const region = { TrackingCategoryID: guid(0xc1), Name: "Region", Status: "ACTIVE" };
  const team = { TrackingCategoryID: guid(0xc2), Name: "Team", Status: "ACTIVE" };
  const north = {
    TrackingOptionID: guid(0x0a1),
    TrackingCategoryID: region.TrackingCategoryID,
    Name: "North",
    Status: "ACTIVE",
  };
  const blue = {
    TrackingOptionID: guid(0x0a2),
    TrackingCategoryID: team.TrackingCategoryID,
    Name: "Blue",
    Status: "ACTIVE",
  };
  const tracked = [
    {
      Name: "Region",
      Option: "North",
      TrackingCategoryID: region.TrackingCategoryID,
      TrackingOptionID: north.TrackingOptionID,
    },
    {
      Name: "Team",
      Option: "Blue",
      TrackingCategoryID: team.TrackingCategoryID,
      TrackingOptionID: blue.TrackingOptionID,
    },
  ];
  const sales = account({ AccountID: guid(0xd3), Name: "Sales", Code: "200" });
  const mug = {
    ItemID: guid(0xf1),
    Code: "MUG",
    Name: "Mug",
    IsSold: true,
    IsPurchased: true,
    IsTrackedAsInventory: false,
    UpdatedDateUTC: 0,
  };

  async function surroundings(tx: Tx): Promise<void> {
    await save(tx, accounts, [sales]);
    await save(tx, item, [mug]);
    await save(tx, trackingCategory, [region, team]);
    await save(tx, trackingOption, [north, blue]);
  }

  const {
    Item: _item,
    Tracking: _tracking,
    AccountCode: _code,
    AccountID: _id,
    ItemCode: _itemCode,
    StockCost: _computed,
    ...plain
  } = lineItemFields;
  const anyLine = fc
    .record({
      fields: fc.record(
        Object.fromEntries(Object.entries(plain).map(([name, field]) => [name, anyValue(field)])),
        { requiredKeys: [] },
      ),
      coded: fc.boolean(),
      item: fc.boolean(),
      tracking: fc.subarray(tracked),
    })
    .map(
      ({ fields, coded, item: sold, tracking }) =>
        ({
          ...fields,
          ...(coded ? { AccountID: sales.AccountID, AccountCode: "200" } : {}),
          ...(sold
            ? { ItemCode: "MUG", Item: { ItemID: mug.ItemID, Code: "MUG", Name: "Mug" } }
            : {}),
          ...(tracking.length > 0 ? { Tracking: tracking } : {}),
        }) as LineItem,
    );

  test("document lines are read as they were saved, in order, and replaced as a whole", async () => {
    await write(surroundings);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyLine, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        async (all) => {
          const documents = all.map((lines, i) => ({ id: guid(0x100 + i), lines }));
          await write((tx) => saveLines(tx, documents));
          const found = await read((tx) =>
            linesOf(
              tx,
              documents.map(({ id }) => id),
            ),
          );
          for (const { id, lines } of documents) expect(found.get(id) ?? []).toEqual(lines);
        },
      ),
      { numRuns: world.name === "SQLite" ? 60 : 20, interruptAfterTimeLimit: 15_000 },
    );
  });

  test("document lines show the new name of a renamed account, item or option", async () => {
    const line: LineItem = {
      AccountID: sales.AccountID,
      AccountCode: "200",
      ItemCode: "MUG",
      Item: { ItemID: mug.ItemID, Code: "MUG" },
      Tracking: [tracked[0] as (typeof tracked)[0]],
    };
    await write(async (tx) => {
      await surroundings(tx);
      await saveLines(tx, [{ id: guid(1), lines: [line] }]);
      await save(tx, accounts, [{ ...sales, Code: "201" }]);
      await save(tx, item, [{ ...mug, Code: "CUP", Name: "Cup" }]);
      await save(tx, trackingOption, [{ ...north, Name: "Far north" }]);
    });
    expect((await read((tx) => linesOf(tx, [guid(1)]))).get(guid(1))).toEqual([
      {
        AccountID: sales.AccountID,
        AccountCode: "201",
        ItemCode: "CUP",
        Item: { ItemID: mug.ItemID, Code: "CUP", Name: "Cup" },
        Tracking: [{ ...tracked[0], Option: "Far north" }],
      },
    ]);
  });

  test("a document line keeps the code of an item that was deleted", async () => {
    await write((tx) =>
      saveLines(tx, [
        { id: guid(1), lines: [{ ItemCode: "OLD", Item: { ItemID: guid(9), Code: "OLD" } }] },
      ]),
    );
    expect((await read((tx) => linesOf(tx, [guid(1)]))).get(guid(1))).toEqual([
      { ItemCode: "OLD" },
    ]);
  });

  // --- history -----------------------------------------------------------------------------------

  test("the history of a record is read newest first, without entries of other records", async () => {
    const entry = (n: number, more = {}) => ({
      id: guid(n),
      resource: "Invoice",
      recordId: guid(1),
      at: 5,
      user: "Tess",
      changes: "Note",
      details: `${n}`,
      ...more,
    });
    await write((tx) =>
      addHistory(tx, [
        entry(1),
        entry(3),
        entry(2, { at: 9 }),
        entry(4, { recordId: guid(2) }),
        entry(5, { resource: "Payment" }),
      ]),
    );
    expect(await read((tx) => historyOf(tx, "Invoice", guid(1)))).toEqual([
      { Changes: "Note", DateUTC: 9, User: "Tess", Details: "2" },
      { Changes: "Note", DateUTC: 5, User: "Tess", Details: "3" },
      { Changes: "Note", DateUTC: 5, User: "Tess", Details: "1" },
    ]);
  });

  // --- numbers -----------------------------------------------------------------------------------

  test("a number series gives each number once, and can be raised but not lowered", async () => {
    await write(async (tx) => {
      expect(await sequenceOf(tx, "INV-")).toBe(0);
      expect(await takeNumbers(tx, "INV-", 1)).toBe(1);
      expect(await takeNumbers(tx, "INV-", 3)).toBe(2);
      expect(await sequenceOf(tx, "INV-")).toBe(4);
      await raiseSequence(tx, "INV-", 100);
      await raiseSequence(tx, "INV-", 50);
      expect(await takeNumbers(tx, "INV-", 1)).toBe(101);
      expect(await takeNumbers(tx, "CN-", 1)).toBe(1);
      await raiseSequence(tx, "PO-", 7);
      expect(await sequenceOf(tx, "PO-")).toBe(7);
    });
  });

  // --- answers -----------------------------------------------------------------------------------

  test("the answer stored for an idempotency key is returned only to its app, until it is removed", async () => {
    const answer = { status: 200, headers: { "content-type": "text/xml" }, body: "<Röt/>" };
    const bytes = { status: 201, headers: {}, body: new Uint8Array([0, 255, 10]) };
    const first = { app: "acct", key: "k", fingerprint: "p", at: 100, answer };
    await write(async (tx) => {
      await saveAnswer(tx, first);
      await saveAnswer(tx, { ...first, key: "b", at: 200, answer: bytes });
    });
    await read(async (tx) => {
      expect(await findAnswer(tx, "acct", "k")).toEqual(first);
      expect(await findAnswer(tx, "acct", "b")).toEqual({
        ...first,
        key: "b",
        at: 200,
        answer: bytes,
      });
      expect(await findAnswer(tx, "other", "k")).toBeUndefined();
      expect(await findAnswer(tx, "acct", "K")).toBeUndefined();
    });
    await write(async (tx) => {
      await deleteAnswers(tx, 200);
      expect(await findAnswer(tx, "acct", "k")).toBeUndefined();
      expect(await findAnswer(tx, "acct", "b")).toMatchObject({ at: 200 });
    });
  });

  test("stored answers older than the idempotency period are removed from time to time", async () => {
    const answer = { status: 200, headers: {}, body: "" };
    const kept = { app: "acct", fingerprint: "p", answer };
    const times = { minute: 60_000, start: 9_000_000 };
    const at = async (now: number, key: string) =>
      write(async (tx) => {
        await deleteOldAnswers(tx, now, 2 * times.minute);
        await saveAnswer(tx, { ...kept, key, at: now });
      });
    const left = () =>
      read(async (tx) => {
        const found = [];
        for (const key of ["n1", "n2", "n3"]) found.push(await findAnswer(tx, "acct", key));
        return found.flatMap((each) => each?.key ?? []);
      });
    await at(times.start, "n1");
    await at(times.start + 3 * times.minute, "n2");
    expect(await left()).toEqual(["n2"]);
    await write((tx) => saveAnswer(tx, { ...kept, key: "n1", at: times.start }));
    await at(times.start + 3 * times.minute + 4_000, "n3");
    expect(await left()).toEqual(["n1", "n2", "n3"]);
  });

  // --- moves -------------------------------------------------------------------------------------

  test("stock moves are read by document, in the order of their ids", async () => {
    const move = (n: number, documentId: string, line?: number) => ({
      id: guid(n),
      itemId: guid(0xf1),
      documentId,
      ...(line === undefined ? {} : { line }),
      quantity: (n * 10_000) as Quantity,
      cost: cents(-n),
      at: n,
    });
    const [a, b, c, d] = [
      move(2, guid(1), 0),
      move(1, guid(1)),
      move(3, guid(2), 4),
      move(4, guid(3)),
    ];
    await write((tx) => addMoves(tx, [a, b, c, d]));
    expect(await read((tx) => movesOf(tx, [guid(1), guid(2), guid(7)]))).toEqual(
      new Map([
        [guid(1), [b, a]],
        [guid(2), [c]],
      ]),
    );
  });

  // --- uses --------------------------------------------------------------------------------------

  test("a record counts as in use when postings, payments or document lines refer to it", async () => {
    await write(async (tx) => {
      await enter(tx, newId);
      await surroundings(tx);
      await saveLines(tx, [
        {
          id: guid(1),
          lines: [
            {
              AccountID: guid(0xaaa),
              TaxType: "INPUT2",
              Item: { ItemID: guid(0xbbb) },
              Tracking: [tracked[1] as (typeof tracked)[0]],
            },
          ],
        },
      ]);
    });
    await read(async (tx) => {
      expect(await isUsed(tx, accounts, ids.cost)).toBe(true);
      expect(await isUsed(tx, accounts, ids.bank)).toBe(true);
      expect(await isUsed(tx, accounts, guid(0xaaa))).toBe(true);
      expect(await isUsed(tx, accounts, guid(0xaab))).toBe(false);
      expect(await isUsed(tx, item, ids.item)).toBe(true);
      expect(await isUsed(tx, item, guid(0xbbb))).toBe(true);
      expect(await isUsed(tx, item, guid(0xbbc))).toBe(false);
      expect(await isUsed(tx, taxRate, "INPUT2")).toBe(true);
      expect(await isUsed(tx, taxRate, "INPUT3")).toBe(false);
      expect(await isUsed(tx, trackingOption, blue.TrackingOptionID)).toBe(true);
      expect(await isUsed(tx, trackingOption, north.TrackingOptionID)).toBe(false);
      await expect(isUsed(tx, contact, guid(1))).rejects.toThrow("Contact");
    });
  });

  // --- balances of contacts ----------------------------------------------------------------------

  test("the balance of a contact is the sum of amounts due, and the overdue amount those due before today", async () => {
    await write((tx) => enter(tx, newId));
    const balances = (today: string) =>
      read((tx) => contactBalances(tx, [ids.contact, guid(7)], today));
    expect(await balances("2026-03-20")).toEqual(
      new Map([
        [
          ids.contact,
          {
            AccountsReceivable: { Outstanding: 6500, Overdue: 0 },
            AccountsPayable: { Outstanding: 11_500, Overdue: 0 },
          },
        ],
      ]),
    );
    expect((await balances("2026-03-21")).get(ids.contact)).toEqual({
      AccountsReceivable: { Outstanding: 6500, Overdue: 6500 },
      AccountsPayable: { Outstanding: 11_500, Overdue: 11_500 },
    });
    await write(async (tx) => {
      const records = await fetch(tx, invoice, "InvoiceID", [ids.invoice, ids.bill]);
      await save(
        tx,
        invoice,
        records.map((record) => ({ ...record, Status: "VOIDED" })),
      );
    });
    expect(await balances("2026-03-21")).toEqual(new Map());
  });

  test("tracking options are read with their category", async () => {
    await write(surroundings);
    const { records } = await read((tx) => list(tx, trackingOption));
    expect(records).toEqual([north, blue]);
  });
});
