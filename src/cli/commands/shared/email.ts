/** What is typed of an email, and what is said of it when it has gone. */
import type { Email } from "../../../resources/email.ts";
import { UsageError } from "../../../resources/errors.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import type { Context } from "../../framework/context.ts";
import { nameOfRecord } from "./confirm.ts";

/** Reads addresses with commas between them. */
export function readAddresses(flag: string) {
  return (text: string): string[] => {
    const addresses = text.split(",").map((each) => each.trim());
    for (const each of addresses) {
      if (/^[^\s@]+@[^\s@]+$/.test(each)) continue;
      throw new UsageError("BadValue", `${flag} takes email addresses; "${each}" is none.`);
    }
    return addresses;
  };
}

/**
 * Says what became of an email.
 *
 * @param kept  what was written to an outbox; undefined when it was sent
 */
export function sayEmailed(
  ctx: Context,
  found: Invoice,
  kept: Email | undefined,
  to: readonly string[] = [],
): void {
  const name = nameOfRecord(invoice, found);
  const { EmailAddress, Name = "its contact" } = found.Contact ?? {};
  const usual = EmailAddress ?? Name;
  if (kept?.Status === "OUTBOX") {
    const whom = (kept.To ?? [usual]).join(", ");
    ctx.out.say(
      `Written to the outbox, not sent: ${name} to ${whom}, as ${kept.File}. ` +
        "There is no mail server; ACCT_SMTP_URL names one.",
    );
    return;
  }
  const done = ctx.flags.dryRun ? "Would email" : "Emailed";
  ctx.out.say(`${done} ${name} to ${to.length === 0 ? usual : to.join(", ")}.`);
}
