/** Resources and their fields: Payment. */
import { expect } from "vitest";
import { type Heading, type Row, row } from "../row.ts";

type Desk = Parameters<Row["check"]>[0];

async function credit(desk: Desk) {
  const { ContactID } = await desk.contact();
  return desk.put("/CreditNotes", {
    Type: "ACCRECCREDIT",
    Status: "AUTHORISED",
    Contact: { ContactID },
    Date: "2026-03-02",
    LineItems: [desk.line()],
  });
}

const spend = { Account: { Code: "090" }, Date: "2026-03-10", Amount: 10 };

export const payment: Heading = {
  heading: "Resources and their fields: Payment",
  rows: [
    row("PaymentID is generated", async (desk) => {
      const made = await desk.pay(await desk.approved());
      expect(made.PaymentID).toMatch(/^[0-9a-f-]{36}$/);
    }),
    row("Invoice by InvoiceID or InvoiceNumber is the target", async (desk) => {
      const { InvoiceID, InvoiceNumber } = await desk.approved();
      for (const Invoice of [{ InvoiceID }, { InvoiceNumber }]) {
        const made = await desk.put("/Payments", { ...spend, Invoice });
        expect(made.Invoice).toMatchObject({ InvoiceID, InvoiceNumber });
      }
    }),
    row("CreditNote by CreditNoteID or CreditNoteNumber is refunded", async (desk) => {
      const { CreditNoteID, CreditNoteNumber } = await credit(desk);
      for (const CreditNote of [{ CreditNoteID }, { CreditNoteNumber }]) {
        const made = await desk.put("/Payments", { ...spend, CreditNote });
        expect(made).toMatchObject({ PaymentType: "ARCREDITPAYMENT", Amount: "10" });
      }
      expect((await desk.one(`/CreditNotes/${CreditNoteID}`)).RemainingCredit).toBe("95");
    }),
    row("Account by AccountID or Code: a bank account, or one with payments", async (desk) => {
      const invoice = await desk.approved();
      const [bank] = await desk.read("/Accounts", { where: 'Code=="090"' });
      const enabled = await desk.put("/Accounts", {
        Code: "881",
        Name: "Drawings",
        Type: "EQUITY",
        EnablePaymentsToAccount: "true",
      });
      for (const Account of [
        { AccountID: bank.AccountID },
        { Code: "090" },
        { Code: enabled.Code },
      ]) {
        await desk.pay(invoice, { Account, Amount: 5 });
      }
      const Account = { Code: "200" };
      await desk.refused("PUT", "/Payments", {
        ...spend,
        Invoice: { InvoiceID: invoice.InvoiceID },
        Account,
      });
    }),
    row("Account: one without a Code is named by its id", async (desk) => {
      const { AccountID } = await desk.put("/Accounts", {
        Name: "Second Bank",
        Type: "BANK",
        BankAccountNumber: "12-3456-7890123-01",
      });
      const made = await desk.pay(await desk.approved(), { Account: { AccountID } });
      expect(made.Account.AccountID).toBe(AccountID);
    }),
    row("Date is the payment's", async (desk) => {
      expect((await desk.pay(await desk.approved(), { Date: "2026-03-04" })).Date).toBe(
        "2026-03-04",
      );
    }),
    row("CurrencyRate is of documents in a foreign currency only", async (desk) => {
      await desk.put("/Currencies", { Code: "USD" });
      const abroad = await desk.approved({ CurrencyCode: "USD", CurrencyRate: "0.6" });
      const made = await desk.pay(abroad, { CurrencyRate: "0.5" });
      expect(made.CurrencyRate).toBe("0.5");
      const { InvoiceID } = await desk.approved();
      const said = await desk.ask("PUT", "/Payments", {
        ...spend,
        Invoice: { InvoiceID },
        CurrencyRate: "0.5",
      });
      if (said.status === 200) expect(said.records[0].CurrencyRate).toBe("1");
      else expect(said.status).toBe(400);
    }),
    row("Amount is at most what is outstanding", async (desk) => {
      const { InvoiceID } = await desk.approved();
      const Invoice = { InvoiceID };
      const more = { ...spend, Invoice, Amount: "115.01" };
      expect(await desk.refused("PUT", "/Payments", more)).toMatch(/exceeds/);
      expect((await desk.put("/Payments", { ...more, Amount: 115 })).Amount).toBe("115");
    }),
    row("Reference is an optional description", async (desk) => {
      const made = await desk.pay(await desk.approved(), { Reference: "Thanks & bye" });
      expect(made.Reference).toBe("Thanks & bye");
      expect((await desk.pay(await desk.approved())).Reference).toBeUndefined();
    }),
    row("IsReconciled may be set on create", async (desk) => {
      const made = await desk.pay(await desk.approved(), { IsReconciled: "true" });
      expect((await desk.one(`/Payments/${made.PaymentID}`)).IsReconciled).toBe("true");
      expect((await desk.pay(await desk.approved())).IsReconciled).toBe("false");
    }),
    row("Status is AUTHORISED, and DELETED when reversed", async (desk) => {
      const made = await desk.pay(await desk.approved());
      expect(made.Status).toBe("AUTHORISED");
      const gone = await desk.post(`/Payments/${made.PaymentID}`, { Status: "DELETED" });
      expect(gone.Status).toBe("DELETED");
    }),
    row("PaymentType is ACCRECPAYMENT for a sale", async (desk) => {
      const sold = await desk.pay(await desk.approved());
      expect(sold.PaymentType).toBe("ACCRECPAYMENT");
      const bill = await desk.put("/Invoices", await desk.bill({ Status: "AUTHORISED" }));
      expect((await desk.pay(bill)).PaymentType).toBe("ACCPAYPAYMENT");
    }),
    row("UpdatedDateUTC is the moment of the change", async (desk) => {
      const made = await desk.pay(await desk.approved());
      expect(made.UpdatedDateUTC).toBe("2026-02-28T23:00:00Z");
    }),
  ],
};
