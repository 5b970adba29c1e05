/** Many processes of the built program that email an invoice at the same time. */
import { expect } from "vitest";
import { openBook } from "../../src/service/books/book.ts";
import type { Json } from "../service/fixture.ts";
import { leaveEmails } from "../service/online/emails-left.ts";
import { mailServer } from "../support/mail-server.ts";
import { startBuilt } from "./built.ts";

/**
 * Emails the same invoice from `processes` of them on a day that has `left` emails.
 *
 * @param place  of a book of a demo organisation, as `openBook` takes it
 * @param flags  that name it on the command line
 */
export async function emailAtOnce(
  place: string,
  flags: readonly string[],
  { home, left, processes }: { home: string; left: number; processes: number },
) {
  const book = await openBook(place, { mailer: async () => undefined });
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const bytes = Buffer.from(JSON.stringify(body ?? {}));
    const answer = await book.transport({ method, path, query: [], headers, body: bytes });
    expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 204])]);
    return answer.status === 204 ? undefined : JSON.parse(String(answer.body));
  };
  const who = { Name: "Ariki", EmailAddress: "pay@ariki.example" };
  const [{ ContactID }] = (await ask("PUT", "/Contacts", who)).Contacts;
  const line = { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" };
  const sale = { Type: "ACCREC", Status: "AUTHORISED", Date: "2026-03-01", DueDate: "2026-03-20" };
  const made = { ...sale, Contact: { ContactID }, LineItems: [line] };
  const [{ InvoiceID }] = (await ask("PUT", "/Invoices", made)).Invoices;
  await ask("POST", `/Invoices/${InvoiceID}/Email`);
  await leaveEmails(book, left);
  await book.close();
  const mail = await mailServer();
  const env = { HOME: home, PATH: process.env.PATH ?? "", TZ: "UTC", ACCT_SMTP_URL: mail.url };
  const words = ["invoice", "email", InvoiceID, "--yes", ...flags];
  const ended = await Promise.all(
    Array.from({ length: processes }, () => startBuilt(words, { ...env, USER: "ann" })),
  );
  return { ended, sent: mail.messages };
}

/** What must come of it: as many are sent as were left, and the others are told so. */
export function expectExactly(
  left: number,
  { ended, sent }: Awaited<ReturnType<typeof emailAtOnce>>,
) {
  const refused = ended.filter(({ status }) => status !== 0);
  expect(refused.map(({ status, stderr }) => [status, stderr])).toEqual(
    Array(ended.length - left).fill([
      5,
      "acct: An organisation sends at most 20 emails a day; go on tomorrow.\n",
    ]),
  );
  expect(sent).toBe(left);
}
