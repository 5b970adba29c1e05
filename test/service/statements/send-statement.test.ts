/** Statements on paper and by email: the figures of the report, to whom they are to go. */
import { describe, expect, test } from "vitest";
import { contact, type Json, type World, world } from "../fixture.ts";
import { readPdf } from "../pdf/pdf-text.ts";
import { document } from "../reports/tax/returns.ts";

const day = { date: "2026-03-31" };

/** A customer who owes 1,100.00 NZD and 300.00 EUR. */
async function owed(own: object = {}): Promise<{ given: World; path: string; party: Json }> {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-01", Rate: 0.5 });
  const party = await contact(given, {
    Name: "Moa Coffee",
    EmailAddress: "pay@moa.example",
    AccountNumber: "M-7",
    ...own,
  });
  const sold = (fields: object, amount: number) =>
    document(given, party, { Date: "2026-03-05", ...fields }, [["200", amount, "NONE"]]);
  await sold({ InvoiceNumber: "S-1", DueDate: "2026-03-10", Reference: "PO 7" }, 1100);
  await sold({ InvoiceNumber: "S-2", CurrencyCode: "EUR" }, 300);
  return { given, path: `/Extensions/Statements/${party.ContactID}`, party };
}

test("the PDF of a statement has rows, ageing and amount due of each currency on pages of its own", async () => {
  const { given, path } = await owed();
  const file = await given.ask("GET", path, undefined, { query: day });
  expect(file.status).toBe(200);
  expect(file.headers["content-disposition"]).toContain("Statement Moa Coffee 2026-03-31.pdf");
  await given.ok("POST", `${path}/Email`, {}, { query: day });
  const [paper] = given.mail[0]?.attachments ?? [];
  const pages = readPdf(paper?.bytes as Uint8Array).pages.map((page) => page.join(" "));
  expect(pages).toHaveLength(2);
  for (const [at, own, other] of [
    [0, "EUR", "NZD"],
    [1, "NZD", "EUR"],
  ] as const) {
    for (const part of [
      "Statement",
      "31 March 2026",
      "Account M-7",
      `Currency ${own}`,
      "Payment advice",
    ])
      expect(pages[at]).toContain(part);
    expect(pages[at]).not.toContain(other);
  }
  expect(pages[0]).toContain("Due in EUR 300.00");
  expect(pages[1]).toContain("5 Mar 2026 S-1 PO 7 10 Mar 2026 1,100.00 0.00 1,100.00");
  expect(pages[1]).toContain("Due in NZD 1,100.00");
});

test("a statement of two currencies names the bank details of each, and none of one for the other", async () => {
  const { given, path } = await owed();
  const [first] = (await given.ok("GET", "/BrandingThemes")).BrandingThemes;
  const made = await given.ok("PUT", "/Extensions/BrandingThemes", { Name: "In euros" });
  const [second] = made.BrandingThemes;
  const set = (theme: Json, own: object) =>
    given.ok("POST", `/BrandingThemes/${theme.BrandingThemeID}/Settings`, own);
  const bankDetails = async () => {
    await given.ok("POST", `${path}/Email`, {}, { query: day });
    const [, text = ""] =
      /How to pay:\n(.*?)\nPlease pay/s.exec(given.mail.pop()?.text ?? "") ?? [];
    return text;
  };
  await set(first, { BankDetails: "Kiwi Bank 38" });
  expect(await bankDetails()).toBe("In NZD:\nKiwi Bank 38");
  await set(second, { CurrencyCode: "EUR", BankDetails: "Euro Bank 7" });
  expect(await bankDetails()).toBe("In EUR:\nEuro Bank 7\nIn NZD:\nKiwi Bank 38");
});

describe("a statement sent by email", () => {
  const send = (given: World, path: string, body: object = {}) =>
    given.ok("POST", `${path}/Email`, body, { query: day });

  test.each([
    ["1 March 2026", Date.UTC(2026, 2, 1), ""],
    ["1 April 2026", Date.UTC(2026, 3, 1), ", of which 1,100.00 is overdue"],
  ])(
    "a statement emailed on %s says what is due and overdue, has a PDF, and is listed in the history",
    async (_, today, late) => {
      const { given, path, party } = await owed();
      given.now = today;
      await send(given, path);
      const [message] = given.mail;
      expect(message).toMatchObject({
        to: ["pay@moa.example"],
        subject: expect.stringMatching(/^Statement as at 31 March 2026 from /),
      });
      expect(message?.text).toContain(`
Your statement of 31 March 2026: EUR 300.00 is due; NZD 1,100.00 is due${late}.

Please pay with the reference M-7.
`);
      expect(message?.attachments?.[0]).toMatchObject({
        name: "Statement Moa Coffee 2026-03-31.pdf",
        type: "application/pdf",
      });
      const history = await given.ok("GET", `/Contacts/${party.ContactID}/History`);
      expect(history.HistoryRecords[0]).toMatchObject({
        Changes: "Statement sent",
        Details: "Statement as at 31 March 2026 has been sent to pay@moa.example",
      });
    },
  );

  test("a statement is emailed to the addresses and with the text given in the request", async () => {
    const { given, path } = await owed({ EmailAddress: "" });
    await send(given, path, { To: ["ann@moa.example"], Message: "As agreed." });
    expect(given.mail[0]?.to).toEqual(["ann@moa.example"]);
    expect(given.mail[0]?.text).toMatch(/^As agreed\./);
  });

  test("emailing a statement without an address, without amounts, or to an archived contact is refused", async () => {
    const { given, path } = await owed({ EmailAddress: "" });
    const refused = (to: string, query = day) =>
      given.refused("POST", `${to}/Email`, {}, { query });
    expect(await refused(path)).toEqual([
      "The contact Moa Coffee has no EmailAddress to send a statement to.",
    ]);
    expect(await refused(path, { date: "2026-01-31" })).toEqual(["Moa Coffee owes nothing."]);
    await given.ok("POST", path.replace("/Extensions/Statements", "/Contacts"), {
      ContactStatus: "ARCHIVED",
    });
    expect(await refused(path)).toEqual(["Moa Coffee is archived."]);
    expect(given.mail).toEqual([]);
  });

  test("emailing a statement in a dry run sends no email", async () => {
    const { given, path } = await owed();
    await given.ok("POST", `${path}/Email`, {}, { query: day, headers: { "x-dry-run": "true" } });
    expect(given.mail).toEqual([]);
  });
});
