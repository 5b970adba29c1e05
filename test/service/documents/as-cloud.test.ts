/** Documents and conditions where a service does as the public cloud. */
import { expect, test } from "vitest";
import { faultsIn, sale, world } from "../fixture.ts";

const named = (Name: string, fields: object = {}) => sale({}, { Contact: { Name }, ...fields });
const namesOf = async (given: Awaited<ReturnType<typeof world>>) =>
  (await given.ok("GET", "/Contacts")).Contacts.map(({ Name }: { Name: string }) => Name);

test("a contact whom documents name and who is not there is made once, with its history", async () => {
  const given = await world("NZ", { newContacts: true });
  const sent = { Invoices: [named("Kea & Co"), named("kea & co"), named("Tui Ltd")] };
  const { Invoices } = await given.ok("PUT", "/Invoices", sent);
  expect(Invoices.map((each: { Contact: { Name: string } }) => each.Contact.Name)).toEqual([
    expect.stringMatching(/^kea & co$/i),
    expect.stringMatching(/^kea & co$/i),
    "Tui Ltd",
  ]);
  expect(Invoices[0].Contact.ContactID).toBe(Invoices[1].Contact.ContactID);
  const { Contacts } = await given.ok("GET", "/Contacts");
  expect(Contacts.filter(({ Name }: { Name: string }) => /kea|tui/i.test(Name))).toHaveLength(2);
  const id = Invoices[2].Contact.ContactID;
  const { HistoryRecords } = await given.ok("GET", `/Contacts/${id}/History`);
  expect(HistoryRecords).toHaveLength(1);
  expect(await faultsIn(given)).toEqual([]);
});

test("where the document is refused, the contact is not made; without the setting it is refused", async () => {
  const given = await world("NZ", { newContacts: true });
  const before = await namesOf(given);
  await given.refused("PUT", "/Invoices", named("Kea & Co", { CurrencyCode: "XXX" }));
  expect(await namesOf(given)).toEqual(before);
  const usual = await world("NZ");
  expect(await usual.refused("PUT", "/Invoices", named("Kea & Co"))).toEqual([
    expect.stringContaining("There is no active contact with the name Kea & Co"),
  ]);
});

test.each([
  ['Date=="2026-03-01"', "=="],
  ['"2026-03-01"<Date', "<"],
  ['UpdatedDateUTC>="2026-03-01T00:00:00"', ">="],
])("a text that stands for a date is refused in %s where dates are strict", async (where, sign) => {
  const strict = await world("NZ", { strictDates: true });
  expect(await strict.refused("GET", "/Invoices", undefined, { query: { where } })).toEqual([
    `Operator '${sign}' incompatible with operand types 'DateTime?' and 'String'`,
  ]);
  const date = where.replace(/"(\d{4})-(\d\d)-(\d\d)[^"]*"/, "DateTime($1,$2,$3)");
  await strict.ok("GET", "/Invoices", undefined, { query: { where: date } });
  await (await world("NZ")).ok("GET", "/Invoices", undefined, { query: { where } });
});
