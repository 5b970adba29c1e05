/** What processes keep in memory of an organisation is what the database holds, whoever changes it. */
import { afterAll, describe, expect, test } from "vitest";
import { account, brandingTheme, contact } from "../../../src/resources/index.ts";
import { fetch, list, remove, save } from "../../../src/store/mapping/records.ts";
import { addWebhook, removeWebhook } from "../../../src/store/outbox/webhooks.ts";
import { fetchContacts } from "../../../src/store/queries/contacts/contacts.ts";
import { noteAttachments } from "../../../src/store/records/attachments.ts";
import { organisationOf, updateOrganisation } from "../../../src/store/records/organisations.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { loadCached } from "../../../src/store/transactions/reference-cache.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { acted } from "../../support/audit.ts";
import { fc, runs } from "../../support/properties.ts";
import { account as anAccount, guid, newId } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

const theme = guid(0xb0);
const contacts = [guid(0xc0), guid(0xc1)] as const;
const names = ["kea", "tui"] as const;

/** How often the database was asked for the accounts. */
let loaded = 0;

async function accountsOf(tx: Tx) {
  loaded += 1;
  return (await list(tx, account)).records;
}

const sorted = <T extends { ContactID: string }>(all: readonly T[]) =>
  [...all].sort((a, b) => (a.ContactID < b.ContactID ? -1 : 1));

/** Compares what is kept, or is from now on, with what is there. */
async function look(tx: Tx): Promise<void> {
  const asked = (await list(tx, account)).records;
  expect(await loadCached(tx, "accounts", accountsOf)).toEqual(asked);
  const byName = sorted(await fetch(tx, contact, "Name", names));
  expect(sorted(await fetchContacts(tx, "Name", names))).toEqual(byName);
  const byId = sorted(await fetch(tx, contact, "ContactID", contacts));
  expect(sorted(await fetchContacts(tx, "ContactID", contacts))).toEqual(byId);
  const { Name, EventCategories } = await organisationOf(tx);
  const { rows } = await tx.connection.executeQuery<{ name: string; categories: string | null }>(
    tx.db
      .selectFrom("organisation")
      .select(["name", "event_categories as categories"])
      .where("org", "=", tx.org)
      .compile(),
  );
  expect([{ name: Name, categories: EventCategories ?? null }]).toEqual(rows);
}

type Change = (tx: Tx, turn: number) => Promise<unknown>;

const aContact =
  (at: 0 | 1, Name: string): Change =>
  (tx, turn) =>
    save(tx, contact, [
      {
        ContactID: contacts[at],
        Name,
        ContactStatus: turn % 2 === 0 ? "ACTIVE" : "ARCHIVED",
        IsCustomer: false,
        IsSupplier: false,
        HasAttachments: false,
        BrandingTheme: { BrandingThemeID: theme },
        UpdatedDateUTC: turn,
      },
    ]);

const changes: Readonly<Record<string, Change>> = {
  "an account": (tx, turn) =>
    save(tx, account, [anAccount({ AccountID: guid(1), Name: `Rent ${turn}` })]),
  "an account that is removed": async (tx) => remove(tx, account, [guid(1)]),
  "a file on an account": (tx) => noteAttachments(tx, account, guid(1), true),
  "the first contact": aContact(0, "Kea"),
  "the second contact": aContact(1, "Tui"),
  "the name of a branding theme that a contact shows": (tx, turn) =>
    save(tx, brandingTheme, [
      {
        BrandingThemeID: theme,
        Name: `Theme ${turn}`,
        Type: "INVOICE",
        SortOrder: 0,
        CreatedDateUTC: 0,
      },
    ]),
  "the organisation": (tx, turn) => updateOrganisation(acted(tx), { Name: `Heron ${turn}` }),
  "what anybody is told of": async (tx, turn) => {
    const id = newId();
    await addWebhook(acted(tx), {
      id,
      name: `Listener ${id}`,
      url: "https://example.org/",
      categories: turn % 2 === 0 ? ["CONTACT"] : ["INVOICE"],
      app: undefined,
      signingKey: "key",
      status: "OK",
      reason: undefined,
      createdAt: turn,
      lastSequence: 0,
      expiresAt: undefined,
    });
    if (turn % 3 === 0) await removeWebhook(acted(tx), id);
  },
};

const anyWriter = fc.record({
  at: fc.constantFrom(0, 1),
  change: fc.constantFrom(undefined, undefined, ...Object.keys(changes)),
  fate: fc.constantFrom("kept", "kept", "thrown", "dry"),
});

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  test("cached accounts and other reference records equal the stored ones, whichever process changes them", async () => {
    const database = await world.empty();
    const stores = [await storeIn(database), await openStore(database.dialect())];
    let turn = 0;
    const write = ({ at, change, fate }: { at: number; change?: string; fate: string }) =>
      (stores[at] as Store).write(
        1,
        async (tx) => {
          turn += 1;
          await look(tx);
          if (change !== undefined) await changes[change]?.(tx, turn);
          await look(tx);
          if (fate === "thrown") throw new Error("second thoughts");
        },
        { dryRun: fate === "dry" },
      );
    const anyGroups = fc.array(fc.array(anyWriter, { minLength: 1, maxLength: 4 }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(anyGroups, async (groups) => {
        for (const writers of groups) {
          const outcomes = await Promise.allSettled(writers.map(write));
          for (const [index, outcome] of outcomes.entries()) {
            if (outcome.status === "fulfilled") continue;
            expect(String(outcome.reason)).toBe("Error: second thoughts");
            expect(writers[index]?.fate).toBe("thrown");
          }
        }
      }),
      { numRuns: runs(40) },
    );
    for (const each of stores) await each.close();
  });

  test("unchanged reference records are read from the database only once, and cannot be modified in memory", async () => {
    const store = await storeIn(await world.empty());
    const rename = changes["an account"] as Change;
    await store.write(1, (tx) => rename(tx, 1));
    const accounts = () => store.write(1, (tx) => loadCached(tx, "accounts", accountsOf));
    const [first] = await accounts();
    loaded = 0;
    expect((await accounts())[0]).toBe(first);
    expect(loaded).toBe(0);
    expect(() => Object.assign(first as object, { Name: "Hire" })).toThrow(TypeError);
    await store.write(1, (tx) => rename(tx, 2));
    expect(await accounts()).toMatchObject([{ Name: "Rent 2" }]);
    expect(loaded).toBe(1);
    await store.close();
  });
});
