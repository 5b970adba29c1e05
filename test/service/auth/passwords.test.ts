/** Passwords that anybody would guess are refused, and no others. */
import { describe, expect, test } from "vitest";
import { hashPassword, isPassword } from "../../../src/service/auth/passwords.ts";

const ana = ["ana.reid@heron.example", "Ana Reid"];

describe("a new password is refused", () => {
  test.each([
    ["of fourteen characters", "kiln and clay!", "15 to 1024 characters"],
    ["of one of the most common", "password123", "15 to 1024 characters"],
    ["of more than 1,024 characters", "a1 ".repeat(350), "15 to 1024 characters"],
    ["that repeats a common one", "iloveyouiloveyou", "guessed soon, being of common"],
    ["that is a common one in another case with digits", "PassWord12345678", "of common"],
    ["of one character repeated", "zzzzzzzzzzzzzzzz", "repetitions"],
    ["of a row of keys", "qwertyuiopasdfgh", "rows of keys"],
    ["that is the own address", "ana.reid@heron.example", "one's own names"],
    ["that is the own address with a number", "ana.reid@heron.example1", "one's own names"],
    ["that is the own name twice with a year", "AnaReid2026AnaReid", "one's own names"],
    ["that is the name of the program", "acct acct acct acct", "one's own names"],
  ])("%s", async (_what, password, said) => {
    await expect(hashPassword(password, ana)).rejects.toThrow(said);
  });
});

test.each(["kiln and clay and glaze", "ana and the blue kettle", "木工 と 陶芸 の 教室 です 三つ"])(
  "the password %s is taken, and is the right one afterwards",
  async (password) => {
    const stored = await hashPassword(password, ana);
    expect(await isPassword(password, stored)).toBe(true);
    expect(await isPassword(`${password}.`, stored)).toBe(false);
  },
);
