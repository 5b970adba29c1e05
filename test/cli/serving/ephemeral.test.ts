/** What `acct serve --ephemeral` refuses before it makes a book. */
import { expect, it } from "vitest";
import { acct } from "../line.ts";

it.each([
  [["--ephemeral", "--book", "x.acct"], "--ephemeral serves a book of its own: leave --book out."],
  [["--ephemeral", "--data", "books"], "leave --data out"],
  [["--ephemeral", "--database", "postgres://localhost/books"], "leave --database out"],
  [["--ephemeral", "--host", "0.0.0.0"], "it does not listen on 0.0.0.0"],
  [["--ephemeral", "--ready", "yaml"], '--ready takes json, not "yaml"'],
  [["--ephemeral", "--ids", "many"], '--ids takes a number, not "many"'],
  [["--ephemeral", "--clock", "soon"], 'not "soon"'],
  [["--ready", "json"], "--ready goes with --ephemeral"],
  [["--clock", "2026-03-01"], "--clock goes with --ephemeral"],
  [["--ids", "1"], "--ids goes with --ephemeral"],
  [["--country", "GB"], "--country goes with --ephemeral"],
])("a book for tests is refused with %j", async (flags, sentence) => {
  const { code, stderr } = await acct(["serve", ...flags]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});
