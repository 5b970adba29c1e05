/** Tracking categories and options: two active, four in all; used ones are archived, not deleted. */
import { describe, expect, test } from "vitest";
import { contact, invoiced, type Json, sale, type World, world } from "../fixture.ts";

const category = async (given: World, Name: string) =>
  (await given.ok("PUT", "/TrackingCategories", { Name })).TrackingCategories[0];

const option = async (given: World, key: string, Name: string) =>
  (await given.ok("PUT", `/TrackingCategories/${key}/Options`, { Name })).Options[0];

const line = (Tracking: object[]) => ({
  Description: "x",
  Quantity: 1,
  UnitAmount: 10,
  AccountCode: "200",
  Tracking,
});

describe("tracking categories", () => {
  test("tracking categories can be created, renamed and read with options, and are not listed when archived", async () => {
    const given = await world();
    const made = await category(given, "Region");
    expect(made).toMatchObject({ Name: "Region", Status: "ACTIVE", Options: [] });
    await option(given, made.TrackingCategoryID, "North");
    const path = `/TrackingCategories/${made.TrackingCategoryID}`;
    const [renamed] = (await given.ok("POST", path, { Name: "Area" })).TrackingCategories;
    expect(renamed).toMatchObject({ Name: "Area", Options: [{ Name: "North", IsActive: true }] });
    await given.ok("POST", path, { Status: "ARCHIVED" });
    const list = async (query: Record<string, string> = {}) =>
      (await given.ok("GET", "/TrackingCategories", undefined, { query })).TrackingCategories;
    expect(await list()).toEqual([]);
    expect(await list({ includearchived: "1" })).toHaveLength(1);
    expect((await given.ok("GET", path)).TrackingCategories[0].Status).toBe("ARCHIVED");
  });

  test("a third active tracking category is refused, and so is a fifth category in all", async () => {
    const given = await world();
    const made = [await category(given, "A"), await category(given, "B")];
    expect(await given.refused("PUT", "/TrackingCategories", { Name: "C" })).toEqual([
      "An organisation has at most 2 active tracking categories.",
    ]);
    for (const each of made)
      await given.ok("POST", `/TrackingCategories/${each.TrackingCategoryID}`, {
        Status: "ARCHIVED",
      });
    await category(given, "C");
    await category(given, "D");
    expect((await given.refused("PUT", "/TrackingCategories", { Name: "E" })).join()).toMatch(
      /at most 4 tracking/,
    );
    expect(
      await given.refused("POST", `/TrackingCategories/${made[0].TrackingCategoryID}`, {
        Status: "ACTIVE",
      }),
    ).toEqual(["An organisation has at most 2 active tracking categories."]);
    // An unused one that is deleted makes room.
    await given.ok("DELETE", `/TrackingCategories/${made[0].TrackingCategoryID}`);
    await given.ok("POST", `/TrackingCategories/${made[1].TrackingCategoryID}`, { Name: "B2" });
    await given.ok("DELETE", "/TrackingCategories/C");
    await category(given, "E");
  });

  test.each<[string, object, string]>([
    ["a name that is taken", { Name: "region" }, "There is a tracking category region already."],
    ["no name", { Name: null }, "Name is required."],
    [
      "a name too long",
      { Name: "x".repeat(101) },
      "Name may have at most 100 characters, not 101.",
    ],
    [
      "the status DELETED",
      { Name: "x", Status: "DELETED" },
      "Delete a tracking category with DELETE.",
    ],
  ])("a tracking category with %s is refused", async (_name, body, sentence) => {
    const given = await world();
    await category(given, "Region");
    expect(await given.refused("PUT", "/TrackingCategories", body)).toContain(sentence);
  });

  test("DELETE archives a tracking category that is in use, and removes any other", async () => {
    const given = await world();
    const used = await category(given, "Region");
    await option(given, "Region", "North");
    await invoiced(given, { LineItems: [line([{ Name: "Region", Option: "North" }])] });
    const path = `/TrackingCategories/${used.TrackingCategoryID}`;
    expect((await given.ok("DELETE", path)).TrackingCategories[0].Status).toBe("ARCHIVED");
    const unused = await category(given, "Other");
    const other = `/TrackingCategories/${unused.TrackingCategoryID}`;
    expect((await given.ok("DELETE", other)).TrackingCategories[0].Status).toBe("DELETED");
    expect((await given.ask("DELETE", other)).status).toBe(400);
    expect((await given.ask("DELETE", "/TrackingCategories/nil")).status).toBe(404);
  });
});

describe("tracking options", () => {
  test("several tracking options are created at once, and each can be renamed or archived", async () => {
    const given = await world();
    await category(given, "Region");
    const Options = [{ Name: "North" }, { Name: "South" }];
    const { Options: made } = await given.ok("PUT", "/TrackingCategories/Region/Options", {
      Options,
    });
    expect(made).toMatchObject([
      {
        Name: "North",
        Status: "ACTIVE",
        IsActive: true,
        IsArchived: false,
        IsDeleted: false,
        HasValidationErrors: false,
      },
      { Name: "South" },
    ]);
    const path = `/TrackingCategories/region/options/${made[0].TrackingOptionID}`;
    expect((await given.ok("POST", path, { Name: "Far north" })).Options[0].Name).toBe("Far north");
    expect((await given.ok("POST", path, { Status: "ARCHIVED" })).Options[0]).toMatchObject({
      Name: "Far north",
      IsArchived: true,
    });
    expect(
      (await given.ask("POST", "/TrackingCategories/Region/Options/nil", { Name: "x" })).status,
    ).toBe(404);
    expect((await given.ask("PUT", "/TrackingCategories/nil/Options", { Name: "x" })).status).toBe(
      404,
    );
  });

  test.each<[string, object | object[], string]>([
    [
      "a name that is taken",
      { Name: "NORTH" },
      "The tracking category Region has an option NORTH already.",
    ],
    [
      "a name twice in the request",
      [{ Name: "a" }, { Name: "A" }],
      "The tracking category Region has an option A already.",
    ],
    ["no name", { Name: "" }, "Name is required."],
    [
      "a name too long",
      { Name: "x".repeat(101) },
      "Name may have at most 100 characters, not 101.",
    ],
  ])("a tracking option with %s is refused", async (_name, body, sentence) => {
    const given = await world();
    await category(given, "Region");
    await option(given, "Region", "North");
    expect(await given.refused("PUT", "/TrackingCategories/Region/Options", body)).toContain(
      sentence,
    );
  });

  test("DELETE archives a tracking option in use, which stays on its lines, and removes any other", async () => {
    const given = await world();
    await category(given, "Region");
    const north = await option(given, "Region", "North");
    const south = await option(given, "Region", "South");
    const made = await invoiced(given, {
      LineItems: [line([{ Name: "Region", Option: "North" }])],
    });
    const remove = async (id: string) =>
      (await given.ok("DELETE", `/TrackingCategories/Region/Options/${id}`)).Options[0].Status;
    expect([await remove(north.TrackingOptionID), await remove(south.TrackingOptionID)]).toEqual([
      "ARCHIVED",
      "DELETED",
    ]);
    // What stands on the line stays, also when the document is approved.
    const [kept] = (await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "AUTHORISED" }))
      .Invoices;
    expect(kept.LineItems[0].Tracking).toMatchObject([{ Name: "Region", Option: "North" }]);
    const again = sale(await contact(given), {
      LineItems: [line([{ Name: "Region", Option: "North" }])],
    });
    expect(await given.refused("PUT", "/Invoices", again)).toEqual([
      "The tracking option Region: North is archived.",
    ]);
    await option(given, "Region", "South");
  });
});

describe("tracking on lines", () => {
  async function prepared() {
    const given = await world();
    const made: Json[] = [];
    for (const [Name, options] of [
      ["Region", ["North", "South"]],
      ["Team", ["Red", "Blue"]],
    ] as const) {
      const each = await category(given, Name);
      for (const Option of options) {
        const { TrackingOptionID } = await option(given, Name, Option);
        made.push({ Name, Option, TrackingCategoryID: each.TrackingCategoryID, TrackingOptionID });
      }
    }
    return { given, made };
  }

  test("tracking on a line is found by id, or by names in any letter case", async () => {
    const { given, made } = await prepared();
    const [north, , red] = made;
    const { TrackingCategoryID, TrackingOptionID } = north;
    for (const Tracking of [
      [{ TrackingCategoryID, TrackingOptionID }],
      [{ Name: "REGION", Option: "north" }],
      [{ TrackingCategoryID, Option: "North" }],
    ]) {
      expect(
        (await invoiced(given, { LineItems: [line(Tracking)] })).LineItems[0].Tracking,
      ).toMatchObject([north]);
    }
    const both = await invoiced(given, {
      LineItems: [
        line([
          { Name: "Team", Option: "Red" },
          { Name: "Region", Option: "North" },
        ]),
      ],
    });
    expect(both.LineItems[0].Tracking).toMatchObject([red, north]);
  });

  test.each<[string, object[], string]>([
    ["an unknown category", [{ Name: "Nil", Option: "x" }], "There is no tracking category 'Nil'."],
    [
      "an unknown option",
      [{ Name: "Region", Option: "East" }],
      "The tracking category Region has no option 'East'.",
    ],
    ["no option", [{ Name: "Region" }], "The tracking category Region has no option ''."],
    [
      "one category twice",
      [
        { Name: "Region", Option: "North" },
        { Name: "Region", Option: "South" },
      ],
      "A line carries the tracking category Region twice.",
    ],
    [
      "three entries",
      [
        { Name: "Region", Option: "North" },
        { Name: "Team", Option: "Red" },
        { Name: "Team", Option: "Blue" },
      ],
      "LineItem 1: Tracking takes at most 2 entries, not 3.",
    ],
  ])("tracking on a line is refused with %s", async (_name, Tracking, sentence) => {
    const { given } = await prepared();
    const body = sale(await contact(given), { LineItems: [line(Tracking)] });
    expect(await given.refused("PUT", "/Invoices", body)).toContain(sentence);
  });
});
