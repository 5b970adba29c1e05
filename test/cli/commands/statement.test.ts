/** Statements at the terminal: saved, sent, sent to all, and not sent twice. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { mailServer } from "../../support/mail-server.ts";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

const invoice = (who: string, amount: number) =>
  acct(
    `invoice create --contact '${who}' --date 2026-03-01 --due-date 2026-03-03 --status AUTHORISED ` +
      `--line 'description=Mugs,unit-amount=${amount},account=200,tax-type=NONE'`,
  );

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  await acct("contact create --name Kowhai --email-address pay@kowhai.example");
  await acct("contact create --name 'Moa Coffee' --email-address pay@moa.example");
  await acct("contact create --name Tui");
  await invoice("Kowhai", 100);
  await invoice("Moa Coffee", 50);
  await invoice("Tui", 25);
});

test("a customer statement is printed as a table, or saved as a PDF", async () => {
  const shown = await acct("report statement Kowhai --date 2026-03-31");
  expect(shown.stdout).toMatch(/Due +100\.00/);
  const path = join(home, "kowhai.pdf");
  const saved = await acct(`report statement Kowhai --date 2026-03-31 --output-file ${path}`);
  expect([saved.code, saved.stdout]).toEqual([0, `${path}\n`]);
  expect(readFileSync(path).subarray(0, 5).toString()).toBe("%PDF-");
});

test("customer statements are written for all customers with a balance due, and for none twice", async () => {
  const all = "report statement --all --email --date 2026-03-31";
  expect((await acct(`${all} --no-input`)).code).toBe(2);
  const tried = await acct(`${all} --yes --dry-run`);
  expect(tried.stderr).toContain("Would email the statement of Kowhai to pay@kowhai.example.");
  const sent = await acct(`${all} --yes`);
  expect(sent.code).toBe(0);
  expect(sent.stderr).toContain("Left out: 1 no address.");
  expect(sent.stderr.match(/Written to the outbox, not sent/g)).toHaveLength(2);
  const again = await acct(`${all} --yes`);
  expect(again.stderr).toBe(
    "Left out: 1 no address, 2 sent before.\nThere is nobody to send a statement to.\n",
  );
  const later = await acct("report statement --all --email --date 2026-04-30 --yes");
  expect(later.stderr.match(/Written to the outbox, not sent/g)).toHaveLength(2);
  expect(existsSync(join(home, "a.acct"))).toBe(true);
});

test("customer statements are emailed through the mail server, and to no customer twice", async () => {
  const mail = await mailServer();
  const env = { ACCT_SMTP_URL: mail.url };
  const all = "report statement --all --email --date 2026-05-31 --yes";
  const sent = await acct(all, { env });
  expect([sent.code, sent.stderr]).toEqual([
    0,
    "Left out: 1 no address.\nEmailed the statement of Kowhai to pay@kowhai.example.\nEmailed the statement of Moa Coffee to pay@moa.example.\n",
  ]);
  expect(mail.messages).toBe(2);
  expect((await acct(all, { env })).stderr).toContain("2 sent before");
  const one = await acct("report statement Kowhai --email --date 2026-06-30", { env });
  expect([one.code, one.stderr]).toEqual([
    0,
    "Emailed the statement of Kowhai to pay@kowhai.example.\n",
  ]);
  expect(mail.messages).toBe(3);
});

test.each([
  ["report statement", "Name a customer, or give --all --email."],
  ["report statement Kowhai --all --email", "Name a customer, or give --all --email."],
  ["report statement --all", "--all, --send-to and --message are of --email, which saves no file."],
  [
    "report statement Kowhai --pdf --email",
    "--all, --send-to and --message are of --email, which saves no file.",
  ],
  [
    "report statement Kowhai --date 2026-03-31 --period 2026-03",
    "A statement is as at --date, or of a period: give one.",
  ],
])("the statement command %s is refused", async (line, reason) => {
  const { code, stderr } = await acct(line);
  expect([code, stderr]).toEqual([2, `acct: ${reason}\n`]);
});
