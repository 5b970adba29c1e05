/** Mail as it leaves: a file that any mail program opens, or a server that takes it or does not. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Message, outboxMailer, smtpMailer } from "../../../src/platform/mail.ts";
import { UnavailableError } from "../../../src/resources/errors.ts";
import { mailServer } from "../../support/mail-server.ts";
import { contact, paid, sale, type World, world } from "../fixture.ts";
import { readPdf } from "../pdf/pdf-text.ts";
import { dailyMost, leaveEmails } from "./emails-left.ts";

const message: Message = {
  from: { name: "Tess Tester", address: "tess@heron.example" },
  to: ["pay@quay.example", "ann@quay.example"],
  subject: "Invoice INV-0001 from Heron Lane Ltd",
  text: "Hello,\n\n.NZD 115.00 is due.\n",
  at: Date.UTC(2026, 2, 1, 12),
  id: "00000000-0000-7000-8000-000000000001",
};

test("with an outbox folder, each email is written to a file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-outbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await outboxMailer(join(folder, "box"))(message);
  const files = readdirSync(join(folder, "box"));
  expect(files).toEqual(["2026-03-01T12-00-00-000Z-00000000-0000-7000-8000-000000000001.eml"]);
  const text = readFileSync(join(folder, "box", files[0] ?? ""), "utf8");
  expect(text).toContain("From: Tess Tester <tess@heron.example>\r\n");
  expect(text).toContain("To: pay@quay.example, ann@quay.example\r\n");
  expect(text).toContain("Subject: Invoice INV-0001 from Heron Lane Ltd\r\n");
  expect(text).toContain("Date: Sun, 01 Mar 2026 12:00:00 +0000\r\n");
  expect(text).toContain("\r\n\r\nHello,\r\n\r\n.NZD 115.00 is due.\r\n");
});

test.runIf(process.platform !== "win32")(
  "the outbox folder and its email files can be read only by their owner",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "acct-outbox-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const modesIn = (box: string) =>
      [box, ...readdirSync(box).map((name) => join(box, name))].map(
        (path) => statSync(path).mode & 0o777,
      );
    await outboxMailer(join(folder, "new"))(message);
    expect(modesIn(join(folder, "new"))).toEqual([0o700, 0o600]);
    const old = join(folder, "old");
    mkdirSync(old);
    writeFileSync(join(old, "earlier.eml"), "Subject: earlier");
    chmodSync(join(old, "earlier.eml"), 0o644);
    chmodSync(old, 0o755);
    await outboxMailer(old)(message);
    expect(modesIn(old)).toEqual([0o700, 0o600, 0o600]);
  },
);

test("the same email with an attachment is written as the same bytes each time, with the whole attachment", async () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-outbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 0xff, 0x80, 0x0a]);
  const attachments = [{ name: "INV-0001.pdf", type: "application/pdf", bytes }];
  const kept: string[] = [];
  for (const box of ["a", "b"]) {
    await outboxMailer(join(folder, box))({ ...message, attachments });
    const [file = ""] = readdirSync(join(folder, box));
    kept.push(readFileSync(join(folder, box, file), "utf8"));
  }
  expect(kept[0]).toBe(kept[1]);
  expect(kept[0]).toContain("Content-Type: application/pdf; name=INV-0001.pdf\r\n");
  expect(kept[0]).toContain("Content-Disposition: attachment; filename=INV-0001.pdf\r\n");
  expect(kept[0]).toContain(`\r\n\r\n${bytes.toString("base64")}\r\n`);
});

test("an emailed invoice has its PDF attached", async () => {
  const given = await world();
  const customer = await contact(given, { EmailAddress: "pay@quay.example" });
  const body = sale(customer, { Status: "AUTHORISED" });
  const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  await given.ok("POST", `/Invoices/${made.InvoiceID}/Email`, {});
  const [attached] = given.mail[0]?.attachments ?? [];
  expect(attached).toMatchObject({ name: "INV-0001.pdf", type: "application/pdf" });
  expect(readPdf(attached?.bytes ?? new Uint8Array()).pages.flat()).toContain("Amount due NZD");
});

describe("message fields of an email request", () => {
  async function approved(given: World, fields: object = { EmailAddress: "pay@quay.example" }) {
    const body = sale(await contact(given, fields), { Status: "AUTHORISED" });
    const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
    return `/Invoices/${made.InvoiceID}`;
  }

  test("subject, body and recipients in an email request replace the defaults", async () => {
    const given = await world();
    const path = await approved(given);
    const said = {
      To: ["ann@quay.example", "ann@quay.example"],
      Cc: ["me@heron.example"],
      Subject: "Your order",
      Message: "As agreed.\nThank you.",
    };
    expect((await given.ask("POST", `${path}/Email`, { Emails: [said] })).status).toBe(204);
    const [sent] = given.mail;
    expect(sent).toMatchObject({
      to: ["ann@quay.example"],
      cc: ["me@heron.example"],
      subject: "Your order",
    });
    expect(sent?.text).toMatch(
      /^As agreed\.\nThank you\.\n\nPlease pay with the reference INV-0001\.\n\nSee it online: http/,
    );
    const { HistoryRecords } = await given.ok("GET", `${path}/History`);
    expect(HistoryRecords[0].Details).toBe(
      "This invoice has been sent to ann@quay.example, me@heron.example",
    );
  });

  test("an email request may give an address for a contact without one", async () => {
    const given = await world();
    const path = await approved(given, {});
    expect((await given.refused("POST", `${path}/Email`, {}))[0]).toMatch(/has no EmailAddress/);
    await given.ok("POST", `${path}/Email`, { To: ["ann@quay.example"] });
    expect(given.mail[0]).toMatchObject({ to: ["ann@quay.example"], cc: [] });
  });

  test("an email request with an invalid address or too many addresses is refused, and nothing is sent", async () => {
    const given = await world();
    const path = await approved(given);
    const wrong = { To: ["ann@quay.example", "a@b\r\nBcc: c@d"], Cc: ["x"] };
    expect(await given.refused("POST", `${path}/Email`, wrong)).toEqual([
      "'a@b\r\nBcc: c@d' is no email address.",
      "'x' is no email address.",
    ]);
    const many = Array.from({ length: 51 }, (_, index) => `a${index}@quay.example`);
    expect(await given.refused("POST", `${path}/Email`, { To: many })).toEqual([
      "An email goes to at most 50 addresses, not 51.",
    ]);
    expect(given.mail).toEqual([]);
  });
});

test("an invoice whose email only goes to the outbox folder is not marked as sent", async () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-outbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const given = await world("NZ", { mailer: outboxMailer(folder) });
  const customer = await contact(given, { EmailAddress: "pay@quay.example" });
  const body = sale(customer, { Status: "AUTHORISED" });
  const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  const path = `/Invoices/${made.InvoiceID}`;
  const answer = await given.ask("POST", `${path}/Email`, "");
  expect([answer.status, answer.text]).toEqual([204, ""]);
  const [file] = readdirSync(folder);
  expect(answer.headers).toMatchObject({
    "x-email": "outbox",
    "x-email-to": encodeURIComponent("pay@quay.example"),
    "x-email-file": file,
  });
  expect((await given.ok("GET", path)).Invoices[0].SentToContact).toBe(false);
  const { HistoryRecords } = await given.ok("GET", `${path}/History`);
  expect(HistoryRecords[0]).toMatchObject({
    Changes: "Invoice not sent",
    Details:
      "This invoice was written to the outbox for pay@quay.example, and not sent: there is no mail server.",
  });
});

test("an invoice email ends with the payment details and the sender", async () => {
  const given = await world();
  await given.ok("POST", "/Organisation/Settings", {
    TaxNumber: "123-456-789",
    Addresses: [{ AddressType: "POBOX", AddressLine1: "1 Quay Street", City: "Wellington" }],
    Phones: [{ PhoneType: "DEFAULT", PhoneNumber: "555 0101" }],
  });
  const [{ BrandingThemeID }] = (await given.ok("GET", "/BrandingThemes")).BrandingThemes;
  await given.ok("POST", `/BrandingThemes/${BrandingThemeID}/Settings`, {
    BankDetails: "Harbour Bank\n12-3456-7890123-00",
    PaymentAdvice: "Within 20 days, please.",
  });
  const customer = await contact(given, { Name: "Quay", EmailAddress: "pay@quay.example" });
  const body = sale(customer, { Status: "AUTHORISED", BrandingThemeID });
  const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  await given.ok("POST", `/Invoices/${made.InvoiceID}/Email`, {});
  const { text = "" } = given.mail[0] ?? {};
  expect(text.replace(/\/view\/\S+/, "/view/…")).toBe(`Hello Quay,

here is invoice INV-0001 of 1 March 2026 for NZD 115.00.
NZD 115.00 is due on 20 March 2026.

How to pay:
Harbour Bank
12-3456-7890123-00
Please pay with the reference INV-0001.

Within 20 days, please.

See it online: ${given.book.dependencies.publicUrl}/view/…

Heron Lane Ltd
1 Quay Street
Wellington
555 0101
GST number 123-456-789
`);
});

test.each([
  {
    ...{ plural: "CreditNotes", id: "CreditNoteID", Type: "ACCRECCREDIT" },
    ...{ first: "DRAFT", moved: "AUTHORISED", remedy: "submit or approve it first" },
    ...{ noun: "credit note", number: "CN-0001", last: "NZD 115.00 of it is left for you to use." },
  },
  {
    ...{ plural: "PurchaseOrders", id: "PurchaseOrderID", DeliveryDate: "2026-03-20" },
    ...{ first: "DRAFT", moved: "AUTHORISED", remedy: "approve it first" },
    ...{ noun: "purchase order", number: "PO-0001", last: "Please deliver by 20 March 2026." },
  },
  {
    ...{ plural: "Quotes", id: "QuoteID", ExpiryDate: "2026-03-20" },
    ...{ first: "DRAFT", moved: "SENT", remedy: "mark it as sent first" },
    ...{ noun: "quote", number: "QU-0001", last: "It is valid until 20 March 2026." },
  },
])("a $noun is emailed as PDF and says so in its history, but not a draft of it", async (kind) => {
  const { plural, id, first, moved, remedy, noun, number, last, ...own } = kind;
  const given = await world();
  const Contact = await contact(given, { Name: "Quay", EmailAddress: "pay@quay.example" });
  const LineItems = [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }];
  const body = { Contact, Date: "2026-03-01", Status: first, LineItems, ...own };
  const [made] = (await given.ok("PUT", `/${plural}`, body))[plural];
  const path = `/Extensions/${plural}/${made[id]}/Email`;
  expect(await given.refused("POST", path)).toEqual([
    `A ${noun} with status DRAFT cannot be emailed; ${remedy}.`,
  ]);
  const update = { [id]: made[id], Contact, Date: "2026-03-01", Status: moved };
  await given.ok("POST", `/${plural}`, update);
  const { Emails } = await given.ok("POST", path, {});
  const title = noun.charAt(0).toUpperCase() + noun.slice(1);
  const Subject = `${title} ${number} from Heron Lane Ltd`;
  expect(Emails).toMatchObject([{ Status: "SENT", To: ["pay@quay.example"], Subject }]);
  const [sent] = given.mail;
  expect(sent?.text).toContain(
    `here is ${noun} ${number} of 1 March 2026 for NZD 115.00.\n${last}\n`,
  );
  expect(sent?.attachments?.[0]?.name).toBe(`${number}.pdf`);
  const { HistoryRecords } = await given.ok("GET", `/${plural}/${made[id]}/History`);
  expect(HistoryRecords[0]).toMatchObject({
    Changes: `${title} sent`,
    Details: `This ${noun} has been sent to pay@quay.example`,
  });
});

test("the mail server gets the message for every recipient", async () => {
  const { url, said } = await mailServer();
  await smtpMailer(url)(message);
  const all = said.join("");
  expect(all).toContain("MAIL FROM:<tess@heron.example>");
  expect(all).toContain("RCPT TO:<pay@quay.example>");
  expect(all).toContain("RCPT TO:<ann@quay.example>");
  expect(all).toContain("Subject: Invoice INV-0001 from Heron Lane Ltd");
});

test.each([
  ["refuses a message", async () => (await mailServer({ refusing: true })).url],
  ["cannot be reached", async () => "smtp://127.0.0.1:1"],
])("a mail server that %s is reported with one sentence", async (_what, url) => {
  await expect(smtpMailer(await url())(message)).rejects.toMatchObject({
    name: "UnavailableError",
    code: "MailNotSent",
  });
});

test("an invoice whose email failed is not marked as sent", async () => {
  const given = await world("NZ", { mailer: smtpMailer("smtp://127.0.0.1:1") });
  const customer = await contact(given, { EmailAddress: "pay@quay.example" });
  const body = sale(customer, { Status: "AUTHORISED" });
  const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  expect((await given.ask("POST", `/Invoices/${made.InvoiceID}/Email`, {})).status).toBe(503);
  const path = `/Invoices/${made.InvoiceID}`;
  expect((await given.ok("GET", path)).Invoices[0].SentToContact).toBe(false);
  const { HistoryRecords } = await given.ok("GET", `${path}/History`);
  expect(HistoryRecords).toHaveLength(2);
});

describe("the daily limit of emails", () => {
  const limit = `An organisation sends at most ${dailyMost} emails a day; go on tomorrow.`;

  /** An invoice to be emailed on a day that has so many left. @returns where it is emailed */
  async function sendable(given: World, left: number): Promise<string> {
    const customer = await contact(given, { EmailAddress: "pay@quay.example" });
    const body = sale(customer, { Status: "AUTHORISED" });
    const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
    const path = `/Invoices/${made.InvoiceID}/Email`;
    await given.ok("POST", path);
    await leaveEmails(given.book, left);
    return path;
  }

  test("the daily limit of emails also holds for simultaneous senders", async () => {
    const left = 5;
    const waiting: (() => void)[] = [];
    let isOpen = true;
    /** Takes no message before as many are under way as there may be. */
    const mailer = async () => {
      if (isOpen) return;
      const turn = new Promise<void>((resolve) => void waiting.push(resolve));
      if (waiting.length >= left) for (const each of waiting) each();
      await turn;
    };
    const given = await world("NZ", { mailer });
    const path = await sendable(given, left);
    isOpen = false;
    const answers = await Promise.all(
      Array.from({ length: left + 7 }, () => given.ask("POST", path)),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(left);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.map(({ text }) => text.includes(limit))).toEqual(Array(7).fill(true));
    expect(waiting).toHaveLength(left);
  });

  test("the daily limit does not count failed emails and dry runs", async () => {
    let isBroken = false;
    const sent: Message[] = [];
    const given = await world("NZ", {
      mailer: async (message) => {
        if (isBroken) throw new UnavailableError("MailNotSent", "Not now.");
        sent.push(message);
      },
    });
    const path = await sendable(given, 1);
    isBroken = true;
    for (const _ of [1, 2]) expect((await given.ask("POST", path)).status).toBe(503);
    isBroken = false;
    const dry = { headers: { "x-dry-run": "true" } };
    for (const _ of [1, 2]) {
      expect((await given.ask("POST", path, undefined, dry)).status).toBe(204);
    }
    await given.ok("POST", path);
    expect(await given.refused("POST", path)).toEqual([limit]);
    expect(await given.refused("POST", path, undefined, dry)).toEqual([limit]);
    expect(sent).toHaveLength(2);
  });
});

test.each([
  [undefined, undefined],
  ["application/json", "{}"],
  ["application/json", ""],
  ["application/json", "[]"],
  ["application/xml", ""],
  ["text/xml", "<RequestEmpty/>"],
  ["text/xml", '<?xml version="1.0"?><RequestEmpty xmlns:xsd="x"> </RequestEmpty>'],
  ["application/x-www-form-urlencoded", ""],
  ["application/x-www-form-urlencoded", "xml="],
  ["application/x-www-form-urlencoded", "xml=%3CRequestEmpty%2F%3E"],
])(
  "an empty request body of type %s, %j, is accepted for emailing an invoice and deleting a payment",
  async (type, body) => {
    const given = await world();
    const customer = await contact(given, { EmailAddress: "pay@quay.example" });
    const record = sale(customer, { Status: "AUTHORISED" });
    const [made] = (await given.ok("PUT", "/Invoices", record)).Invoices;
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const answer = await given.ask("POST", `/Invoices/${made.InvoiceID}/Email`, body, { headers });
    expect([answer.status, answer.text, answer.headers["x-email"]]).toEqual([204, "", "sent"]);
    const { PaymentID } = await paid(given, made);
    const gone = await given.ok("POST", `/Payments/${PaymentID}`, body, { headers });
    expect(gone.Payments[0].Status).toBe("DELETED");
  },
);

test("an email to a customer is sent from the organisation's email address, if it has one", async () => {
  const given = await world();
  const customer = await contact(given, { Name: "Quay", EmailAddress: "pay@quay.example" });
  const body = sale(customer, { Status: "AUTHORISED" });
  const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  const send = () => given.ok("POST", `/Invoices/${made.InvoiceID}/Email`, {});
  await send();
  await given.ok("POST", "/Organisation/Settings", { EmailAddress: "accounts@heron.example" });
  await send();
  const [person, company] = given.mail.map(({ from }) => from);
  expect(person?.address).not.toBe("accounts@heron.example");
  expect(company).toEqual({ name: "Heron Lane Ltd", address: "accounts@heron.example" });
});
