import { describe, expect, test } from "vitest";
import {
  databaseAddress,
  placeInDatabase,
  withoutPassword,
} from "../../src/platform/book-address.ts";
import { databaseDialect } from "../../src/store/dialects/databases.ts";

describe("the address of a book in a database server", () => {
  test("a book address with an unknown kind of database is refused, without showing its password", async () => {
    await expect(databaseDialect("mysql://u:secret@h/d")).rejects.toThrow(
      "There is no database at mysql://; postgres:// begins the address of one",
    );
  });

  test.each([
    ["postgres://u:p@h/d", { url: "postgres://u:p@h/d", organisation: undefined }],
    ["PostgreSQL://h/d?x=1#Quay", { url: "PostgreSQL://h/d?x=1", organisation: "Quay" }],
    ["postgres://h/d#100%25%20Wool", { url: "postgres://h/d", organisation: "100% Wool" }],
    ["postgres://h/d#100% Wool", { url: "postgres://h/d", organisation: "100% Wool" }],
    ["postgres://h/d#No. #1", { url: "postgres://h/d", organisation: "No. #1" }],
    ["postgres://h/d#", { url: "postgres://h/d", organisation: undefined }],
    ["mysql://h/d", { url: "mysql://h/d", organisation: undefined }],
    ["/home/ana/postgres.acct", undefined],
    ["C:\\books\\a.acct", undefined],
    ["postgres", undefined],
  ])(
    "the book address %s is read as a database and an organisation, or as no database",
    (place, address) => {
      expect(databaseAddress(place)).toEqual(address);
      if (address !== undefined) expect(databaseAddress(placeInDatabase(address))).toEqual(address);
    },
  );

  test.each([
    ["postgres://u:p%40ss@h:5/d#Quay", "postgres://u@h:5/d#Quay"],
    ["postgres://u:p@ss@h:5/d?x=a@b", "postgres://u@h:5/d?x=a@b"],
    ["postgres://u:p/s?s@h:5/d", "postgres://u@h:5/d"],
    ["postgres://u:12@h/d", "postgres://u@h/d"],
    ["postgres://h:5432/d?x=a@b", "postgres://h:5432/d?x=a@b"],
    ["postgres://u@h/d", "postgres://u@h/d"],
    ["postgres://h:5432/d", "postgres://h:5432/d"],
    ["postgres://h/d?user=u&password=p&host=x", "postgres://h/d?user=u&password=…&host=x"],
    ["/home/ana/quay.acct", "/home/ana/quay.acct"],
  ])("the book address %s is shown as %s", (place, shown) =>
    expect(withoutPassword(place)).toBe(shown),
  );
});
