/** Verbs of invoices and bills. */

import { UsageError } from "../../resources/errors.ts";
import { type InvoiceStatus, invoice } from "../../resources/invoice.ts";
import { compare } from "../../wire/query/condition.ts";
import type { Child, Command } from "../context/context.ts";
import { fieldsOf } from "../framework/flags.ts";
import { copyVerb } from "../shared/copy.ts";
import { creditVerb } from "../shared/credits/credit-invoice.ts";
import {
  createBuilder,
  createDocuments,
  type DocumentKind,
  lineExample,
  transitionVerb,
  updateVerb,
} from "../shared/document-verbs.ts";
import { eInvoiceCommand, importEInvoiceCommand } from "../shared/e-invoice.ts";
import { emailVerb, remindVerb } from "../shared/email-verb.ts";
import { type DocumentType, findDocument } from "../shared/find-document.ts";
import { listCommand } from "../shared/list-verb.ts";
import {
  historyCommand,
  importVerb,
  noteCommand,
  nounOf,
  onlineVerbs,
  pdfCommand,
  showCommand,
} from "../shared/verbs.ts";

interface DocumentNoun {
  readonly type: DocumentType;
  readonly noun: "invoice" | "bill";
  /** One line that describes the noun. */
  readonly summary: string;
}

/** Builds the verbs of `acct invoice` or `acct bill`. */
function documentVerbs(kind: DocumentNoun): readonly Child[] {
  const { type, noun } = kind;
  const document = kindOf(kind);
  const { find } = document;
  const move = (verb: string, Status: InvoiceStatus, does: string) =>
    transitionVerb(document, verb, Status, does);
  const verbs: Child[] = [
    listCommand({
      resource: invoice,
      ...(type === "ACCPAY" ? { called: { name: "Bill", plural: "Bills" } } : {}),
      summary: `list ${kind.summary}`,
      omit: type === "ACCREC" ? ["Type"] : ["Type", "Reference"],
      only: compare(invoice.fields, "Type", "==", type),
      examples: [
        `acct ${noun} list --status AUTHORISED --due-date ..today`,
        `acct ${noun} list --contact "Kauri Hotel" --period last-quarter -o csv`,
      ],
    }),
    showCommand(document),
    pdfCommand(document),
    createCommand(kind),
    updateVerb(document, ["--due-date +14d", "--add-line 'item=LAMP,quantity=2' --dry-run"]),
    copyVerb(document),
    move("submit", "SUBMITTED", `submit ${noun}s for approval`),
    move("approve", "AUTHORISED", `approve ${noun}s: from now on they are owed`),
    move("void", "VOIDED", `void approved ${noun}s without payments`),
    move("delete", "DELETED", `delete ${noun}s that were not approved`),
  ];
  if (type === "ACCREC")
    verbs.push(
      creditVerb(document),
      ...[eInvoiceCommand(document), emailVerb(document), remindVerb(find)],
      ...onlineVerbs(document),
    );
  verbs.push(historyCommand(document), noteCommand(document), importVerb(noun));
  return type === "ACCREC" ? verbs : [...verbs, importEInvoiceCommand(document, "Bills")];
}

/** Fields that invoices have and bills do not. */
const salesFields = [
  "Reference",
  "BuyerReference",
  "SentToContact",
  "ExpectedPaymentDate",
] as const;

function kindOf({ type, noun }: DocumentNoun): DocumentKind<typeof invoice> {
  return {
    ...nounOf({ ...invoice, noun } as typeof invoice, {
      word: noun,
      called: noun,
      find: (ctx, key) => findDocument(ctx, type, key),
      ...(type === "ACCREC" ? {} : { example: "S-1111", draft: "S-1112" }),
    }),
    fields:
      type === "ACCREC"
        ? fieldsOf(invoice, { except: ["Type", "CISDeduction", "PlannedPaymentDate"] })
        : fieldsOf(invoice, { except: ["Type", "CISDeduction", ...salesFields] }),
    newStatuses: ["DRAFT", "SUBMITTED", "AUTHORISED"],
    fixed: { Type: type },
  };
}

function createCommand(kind: DocumentNoun): Command {
  const { noun, type } = kind;
  return createBuilder(kindOf(kind))
    .switch("interactive", "ask for everything, also when flags are given", { short: "i" })
    .note("On a terminal and without flags it asks for everything.")
    .example(`acct ${noun} create --contact "Kauri Hotel" --due-date +20d ${lineExample}`)
    .example(`acct ${noun} create --file ${noun}.json --status AUTHORISED`)
    .action(async (ctx, options) => {
      const isBare = Object.keys(options).length === 0;
      if (options.interactive !== true && !(isBare && ctx.flags.input)) {
        return createDocuments(ctx, kindOf(kind), options);
      }
      if (!ctx.flags.input) {
        throw new UsageError("NoTerminal", "--interactive needs a terminal to ask on.");
      }
      if (ctx.flags.idempotencyKey !== undefined) {
        throw new UsageError(
          "BadFlags",
          "--idempotency-key is for a line that says everything; what is asked for is made once.",
        );
      }
      const { invoiceWizard } = await import("../prompts/invoice/wizard.ts");
      return invoiceWizard(ctx, type);
    });
}

// --- declarations of `invoice` and `bill` ----------------------------------------------------

export const invoiceVerbs = documentVerbs({
  type: "ACCREC",
  noun: "invoice",
  summary: "sales invoices",
});

/** Verbs of purchase bills, which the service stores as invoices of type ACCPAY. */
export const billVerbs = documentVerbs({ type: "ACCPAY", noun: "bill", summary: "purchase bills" });
