/** Passwords that anybody would guess are refused, and no others. */
import { describe, expect, test } from "vitest";
import { commonPasswords } from "../../../src/service/auth/common-passwords.ts";
import { hashPassword, isPassword } from "../../../src/service/auth/passwords.ts";

const ana = ["ana.reid@heron.example", "Ana Reid"];

describe("a password is refused", () => {
  test.each([
    ["of seven characters", "k7#pQ2x", "8 to 1024 characters"],
    ["that is among the commonest", "12345678", "commonest passwords"],
    ["that is a common word with a number", "password123", "commonest passwords"],
    ["that is common in another case", "PassWord1", "commonest passwords"],
    ["of one sign repeated", "zzzzzzzzzzzz", "one sign"],
    ["that is the own address", "ana.reid@heron.example", "one's own names"],
    ["that is the own address with a number", "ana.reid@heron.example1", "one's own names"],
    ["that is the own name with a year", "AnaReid2026!", "one's own names"],
    ["that is the name of the program", "acctacct2026", "one's own names"],
  ])("a new password %s is refused", async (_what, password, said) => {
    await expect(hashPassword(password, ana)).rejects.toThrow(said);
  });
});

test("a password that contains the user's name is accepted if it has enough other characters", async () => {
  const password = "ana and the blue kettle";
  expect(await isPassword(password, await hashPassword(password, ana))).toBe(true);
});

test("the list of common passwords has the 10,000 most common of sufficient length, each once", () => {
  const all = commonPasswords.split(" ");
  expect(all).toHaveLength(10_000);
  expect(new Set(all).size).toBe(10_000);
  expect(all.filter((each) => each.length < 8 || each !== each.toLowerCase())).toEqual([]);
});
