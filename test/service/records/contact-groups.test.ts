/** Contact groups: a name each, their members, and what contacts show of them. */
import { describe, expect, test } from "vitest";
import { contact, type Json, type World, world } from "../fixture.ts";

async function grouped(given: World, Name = "Wholesalers"): Promise<Json> {
  return (await given.ok("PUT", "/ContactGroups", { Name })).ContactGroups[0];
}

const members = (group: Json) => `/ContactGroups/${group.ContactGroupID}/Contacts`;

test("a new contact group is active and empty, and can be read alone and in the list", async () => {
  const given = await world();
  const group = await grouped(given);
  expect(group).toEqual({
    ContactGroupID: expect.any(String),
    Name: "Wholesalers",
    Status: "ACTIVE",
    Contacts: [],
  });
  await grouped(given, "Galleries");
  const { ContactGroups } = await given.ok("GET", "/ContactGroups");
  expect(ContactGroups.map((each: Json) => each.Name)).toEqual(["Galleries", "Wholesalers"]);
  expect(ContactGroups[0]).not.toHaveProperty("Contacts");
  const where = await given.ok("GET", "/ContactGroups", undefined, {
    query: { where: 'Name=="galleries"', order: "Name DESC" },
  });
  expect(where.ContactGroups).toHaveLength(1);
});

test("a contact group in XML has an element for each of its members", async () => {
  const given = await world();
  const headers = { accept: "text/xml", "content-type": "text/xml" };
  const made = await given.ask(
    "PUT",
    "/ContactGroups",
    "<ContactGroups><ContactGroup><Name>North</Name></ContactGroup></ContactGroups>",
    { headers },
  );
  expect(made.text).toMatch(
    /<ContactGroups><ContactGroup><ContactGroupID>[-0-9a-f]{36}<\/ContactGroupID><Name>North<\/Name><Status>ACTIVE<\/Status><Contacts \/><\/ContactGroup><\/ContactGroups>/,
  );
  const { ContactID } = await contact(given, { Name: "Ada" });
  const id = /<ContactGroupID>(.*?)</.exec(made.text)?.[1];
  const body = `<Contacts><Contact><ContactID>${ContactID}</ContactID></Contact></Contacts>`;
  const added = await given.ask("PUT", `/ContactGroups/${id}/Contacts`, body, { headers });
  expect(added.text).toContain(
    `<Contacts><Contact><ContactID>${ContactID}</ContactID><Name>Ada</Name></Contact></Contacts>`,
  );
});

test("contacts are added to a group, shown with it, and removed one by one or all at once", async () => {
  const given = await world();
  const group = await grouped(given);
  const [ada, bo, cy] = [
    await contact(given, { Name: "Ada" }),
    await contact(given, { Name: "Bo" }),
    await contact(given, { Name: "Cy" }),
  ];
  const ids = [cy, ada, bo, ada].map(({ ContactID }) => ({ ContactID }));
  const added = await given.ok("PUT", members(group), { Contacts: ids });
  expect(added.Contacts.map((each: Json) => each.Name)).toEqual(["Cy", "Ada", "Bo"]);
  await given.ok("PUT", members(group), { Contacts: [ids[0]] });

  const names = async () =>
    (await given.ok("GET", `/ContactGroups/${group.ContactGroupID}`)).ContactGroups[0].Contacts.map(
      (each: Json) => each.Name,
    );
  expect(await names()).toEqual(["Ada", "Bo", "Cy"]);
  const shown = [{ ContactGroupID: group.ContactGroupID, Name: "Wholesalers", Status: "ACTIVE" }];
  const one = await given.ok("GET", `/Contacts/${ada.ContactID}`);
  expect(one.Contacts[0].ContactGroups).toEqual(shown);
  const paged = await given.ok("GET", "/Contacts", undefined, { query: { page: "1" } });
  expect(paged.Contacts.find((each: Json) => each.Name === "Bo").ContactGroups).toEqual(shown);
  const edited = await given.ok("POST", `/Contacts/${ada.ContactID}`, { FirstName: "Ada" });
  expect(edited.Contacts[0].ContactGroups).toEqual(shown);

  const gone = await given.ask("DELETE", `${members(group)}/${ada.ContactID}`);
  expect([gone.status, gone.text]).toEqual([204, ""]);
  expect(await names()).toEqual(["Bo", "Cy"]);
  expect((await given.ask("DELETE", `${members(group)}/${ada.ContactID}`)).status).toBe(404);
  expect((await given.ask("DELETE", members(group))).status).toBe(204);
  expect(await names()).toEqual([]);
});

test("a contact group can be renamed, and deleted by its status, which removes it from the list", async () => {
  const given = await world();
  const group = await grouped(given);
  const { ContactID } = await contact(given);
  await given.ok("PUT", members(group), { Contacts: [{ ContactID }] });
  const path = `/ContactGroups/${group.ContactGroupID}`;
  const renamed = await given.ok("POST", path, { Name: "Shops" });
  expect(renamed.ContactGroups[0].Name).toBe("Shops");
  const deleted = await given.ok("POST", path, { Status: "DELETED" });
  expect(deleted.ContactGroups[0].Status).toBe("DELETED");
  expect((await given.ok("GET", "/ContactGroups")).ContactGroups).toEqual([]);
  expect((await given.ask("GET", path)).status).toBe(404);
  expect((await given.ok("GET", `/Contacts/${ContactID}`)).Contacts[0].ContactGroups).toEqual([]);
  expect((await given.ask("POST", path, { Name: "Again" })).status).toBe(404);
  // Its name is free again.
  await grouped(given, "Shops");
});

describe("refused contact groups", () => {
  test("a contact group with a name in use is refused, in any letter case, also within one request", async () => {
    const given = await world();
    await grouped(given);
    const taken =
      "The contact group name Wholesalers is already in use. The name must be unique across all active contact groups.";
    expect(await given.refused("PUT", "/ContactGroups", { Name: "WHOLESALERS" })).toEqual([taken]);
    const other = await grouped(given, "Shops");
    expect(
      await given.refused("POST", `/ContactGroups/${other.ContactGroupID}`, {
        Name: "wholesalers",
      }),
    ).toHaveLength(1);
    const twice = { ContactGroups: [{ Name: "New" }, { Name: "new" }] };
    expect(await given.refused("PUT", "/ContactGroups", twice)).toHaveLength(1);
  });

  test("a contact group without a name, or a new one with Status DELETED, is refused", async () => {
    const given = await world();
    expect(await given.refused("PUT", "/ContactGroups", { Name: "" })).toEqual([
      "Name is required.",
    ]);
    expect(
      await given.refused("PUT", "/ContactGroups", { Name: "Gone", Status: "DELETED" }),
    ).toEqual(["A new contact group is ACTIVE."]);
  });

  test("a contact group beyond the limit of a hundred groups is refused", async () => {
    const given = await world();
    const ContactGroups = Array.from({ length: 100 }, (_, index) => ({ Name: `Group ${index}` }));
    await given.ok("PUT", "/ContactGroups", { ContactGroups });
    expect(await given.refused("PUT", "/ContactGroups", { Name: "One more" })).toEqual([
      "You've reached the limit of 100 contact groups.",
    ]);
    const { ContactGroups: all } = await given.ok("GET", "/ContactGroups");
    const path = `/ContactGroups/${all[0].ContactGroupID}`;
    await given.ok("POST", path, { Status: "DELETED" });
    await grouped(given, "One more");
  });

  test("adding unknown contacts to a group is refused with the id of each, and none is added", async () => {
    const given = await world();
    const group = await grouped(given);
    const { ContactID } = await contact(given);
    const unknown = "11111111-1111-1111-1111-111111111111";
    const Contacts = [{ ContactID }, { ContactID: unknown }, { Name: "Ada" }];
    expect(await given.refused("PUT", members(group), { Contacts })).toEqual([
      "Each contact must be identified by its ContactID.",
      `There is no contact ${unknown}.`,
    ]);
    expect(await given.refused("PUT", members(group), { Contacts: Contacts.slice(0, 2) })).toEqual([
      `There is no contact ${unknown}.`,
    ]);
    const shown = await given.ok("GET", `/ContactGroups/${group.ContactGroupID}`);
    expect(shown.ContactGroups[0].Contacts).toEqual([]);
  });
});
