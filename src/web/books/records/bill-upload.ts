/**
 * Page on which a bill of a supplier is uploaded: an e-invoice becomes a draft with its lines, any
 * other file an empty draft of the supplier that is named, with the file attached.
 */
import { html } from "../../../output/markup.ts";
import { type Contact, contact } from "../../../resources/contact.ts";
import {
  AuthError,
  NotFoundError,
  RefusedError,
  refusal,
  UsageError,
} from "../../../resources/errors.ts";
import { type Invoice, type InvoiceInput, invoice } from "../../../resources/invoice.ts";
import type { UploadedFile } from "../../../wire/filled-form.ts";
import { withTrailOf } from "../../frame/breadcrumbs.ts";
import { alert } from "../../frame/components.ts";
import {
  checkField,
  choiceField,
  fileForm,
  filesField,
  submit,
  textField,
  typed,
} from "../../frame/forms.ts";
import type { Page, PageResponse } from "../../frame/page-context.ts";
import { messagesOf } from "../../frame/router.ts";
import type { BooksContext } from "../context.ts";
import { accountsOf, titleOf } from "../ledger/account-ledger.ts";

export const billUploadPath = "/bills/upload";
export const billsPath = "/Extensions/EInvoices/Bills";

/** Fields of the form, by the flags that are the same in `acct bill import-e-invoice`. */
const labels = {
  "--contact": "Supplier",
  "--create-contact": "Make the supplier, where there is no such contact",
  "--account": "Account of the lines",
  "--totals-only": "Of totals without lines make a line for each tax rate",
  "--tax-as-cost": "Take the tax as part of the cost",
};

const labelOf = (flag: string): string | undefined =>
  Object.hasOwn(labels, flag) ? labels[flag as keyof typeof labels] : undefined;

export async function showBillUpload(ctx: BooksContext): Promise<Page> {
  if (!ctx.allows("POST", billsPath)) {
    throw new AuthError("Forbidden", "You may not upload bills here.", 403);
  }
  const accounts = (await accountsOf(ctx)).filter(
    ({ Status, Type, SystemAccount, Code }) =>
      Status === "ACTIVE" && Type !== "BANK" && !SystemAccount && Code !== undefined,
  );
  const account = {
    name: "account",
    label: labels["--account"],
    values: [
      ["", "The usual one of the supplier"] as const,
      ...accounts.map((account) => [account.Code ?? "", titleOf(account)] as const),
    ],
  };
  return {
    title: "Upload a bill",
    body: html`${ctx.faults.map(alert)}<p>A PDF or XML that is an e-invoice becomes a draft with its lines. Of any other PDF or picture an empty draft is made, of the supplier below. The file stays on the draft.</p>
${fileForm(
  ctx,
  billUploadPath,
  filesField("bill", "File", "PDF, XML or a picture"),
  textField(ctx, {
    ...{ name: "contact", label: labels["--contact"], isOptional: true },
    hint: "Name, number or id; an e-invoice says it itself.",
  }),
  checkField(ctx, "new", labels["--create-contact"]),
  choiceField(ctx, account),
  checkField(ctx, "totals", labels["--totals-only"]),
  checkField(ctx, "cost", labels["--tax-as-cost"]),
  submit("Make a draft"),
)}`,
    status: ctx.faults.length === 0 ? 200 : 400,
  };
}

/** Makes the draft, and leads to it. */
export async function uploadBill(ctx: BooksContext): Promise<PageResponse> {
  try {
    const [file, ...others] = ctx.files ?? [];
    if (file === undefined || others.length > 0) {
      throw new UsageError("MissingValue", "Choose one file.");
    }
    const { InvoiceID } = await draftOf(ctx, file);
    return { seeOther: withTrailOf(ctx, `/bills/${InvoiceID}`) };
  } catch (error) {
    const isOfForm = [RefusedError, NotFoundError, UsageError].some(
      (kind) => error instanceof kind,
    );
    if (!isOfForm) throw error;
    return showBillUpload({ ...ctx, faults: messagesOf(error as RefusedError, labelOf) });
  }
}

async function draftOf(ctx: BooksContext, file: UploadedFile): Promise<Invoice> {
  const { name, mimeType, bytes } = file;
  const parameters = Object.entries({
    fileName: name,
    contact: typed(ctx, "contact"),
    account: typed(ctx, "account"),
    createContact: typed(ctx, "new"),
    totalsOnly: typed(ctx, "totals"),
    taxAsCost: typed(ctx, "cost"),
  }).filter(([, value]) => value !== "");
  const isImage = mimeType.startsWith("image/");
  if (isImage) return emptyDraft(ctx, file);
  try {
    const { record } = await ctx.client.submit(
      invoice,
      billsPath,
      { mimeType, bytes },
      Object.fromEntries(parameters),
    );
    return record;
  } catch (error) {
    const isPlainPdf = mimeType === "application/pdf" && isNoEInvoice(error);
    if (!isPlainPdf) throw error;
    return emptyDraft(ctx, file);
  }
}

const isNoEInvoice = (error: unknown) =>
  error instanceof RefusedError && error.code === "NotEInvoice";

/** Draft with a line of no amount that names the file, which is attached. @throws RefusedError without a supplier */
async function emptyDraft(
  ctx: BooksContext,
  { name, mimeType, bytes }: UploadedFile,
): Promise<Invoice> {
  const { client, today } = ctx;
  const { ContactID } = await supplierIn(ctx);
  const input = {
    ...{ Type: "ACCPAY", Status: "DRAFT", Contact: { ContactID }, Date: today },
    LineItems: [{ Description: name }],
  };
  const billMade = await client.create(invoice, input as InvoiceInput);
  const body = {
    [Symbol.asyncIterator]: async function* () {
      yield bytes;
    },
  };
  await client.attach(invoice, billMade.InvoiceID, { name, mimeType, size: bytes.length, body });
  return billMade;
}

async function supplierIn(ctx: BooksContext): Promise<Pick<Contact, "ContactID">> {
  const { client } = ctx;
  const contactName = typed(ctx, "contact");
  if (contactName === "") {
    throw refusal(
      "EInvoice",
      "The file is no e-invoice: name the supplier, and an empty draft is made with the file attached.",
    );
  }
  try {
    return await client.find(contact, contactName);
  } catch (error) {
    if (!(error instanceof NotFoundError) || typed(ctx, "new") === "") throw error;
    return client.create(contact, { Name: contactName });
  }
}
