/** Command lines as the log keeps them: as they were typed, without secrets. */
import { expect, test } from "vitest";
import { commandLine } from "../../../src/cli/values/command-line.ts";

test.each([
  [
    ["invoice", "create", "--contact", "Harbour Cafe"],
    "acct invoice create --contact 'Harbour Cafe'",
  ],
  [
    ["api", "GET", "/Invoices", "--header", "Authorization: Bearer x"],
    "acct api GET /Invoices --header '…'",
  ],
  [["api", "GET", "/Invoices", "--header=Cookie: x"], "acct api GET /Invoices '--header=…'"],
  [
    ["contact", "list", "--database", "postgres://ana:secret@db/books"],
    "acct contact list --database 'postgres://…@db/books'",
  ],
  [
    ["contact", "list", "--base-url=https://ana:secret@books.example/api"],
    "acct contact list '--base-url=https://…@books.example/api'",
  ],
  [
    ["contact", "note", "Ana", "mail ana@heron.example"],
    "acct contact note Ana 'mail ana@heron.example'",
  ],
])("the command line %j is recorded as %s, without secrets", (argv, kept) => {
  expect(commandLine(argv, { SHELL: "/bin/bash" })).toBe(kept);
});
