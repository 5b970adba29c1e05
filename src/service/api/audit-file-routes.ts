/** The routes of audit files: a format each, with the flags of its command for parameters. */
import type { AuditFormat, AuditOptions } from "../../audit-files/audit-export.ts";
import * as field from "../../resources/field.ts";
import { extensionRoot, type Field } from "../../resources/field.ts";
import { access } from "../request/permissions.ts";
import type { Route } from "../request/route.ts";

const accountMap = field.text({
  help: "the table of account numbers itself, as CSV with the columns Code (or Name) and Number",
});

const parameters = {
  saft: {
    country: field.text({ help: "whose tax office it is for, as two letters" }),
    registrationNumber: field.text({ help: "of the company; that of the book when not given" }),
    contactPerson: field.text({ help: "whom to ask, as First Last" }),
    accountMap,
  },
  fec: {
    siren: field.text({ help: "the registration number of the book when not given" }),
    accountMap,
    encoding: field.choice(["utf-8", "iso-8859-15"], { help: "utf-8 when not given" }),
  },
  datev: {
    consultant: field.integer({ min: 1001, max: 9_999_999, help: "number of the adviser" }),
    client: field.integer({ min: 1, max: 99_999, help: "number of the company there" }),
    accountLength: field.integer({ min: 4, max: 8, help: "digits of accounts; 4 when not given" }),
    chart: field.text({ help: "which SKR the numbers are of: 03 or 04" }),
    accountMap,
    taxKey: field.texts("TaxKey", { help: "keys of taxes, as TaxType=KEY" }),
    personalAccounts: field.boolean({ help: "posts to the account numbers of contacts" }),
    opening: field.boolean({ help: "with balances brought forward, against 9000" }),
  },
  gobd: { attachments: field.boolean({ help: "with the files of documents" }) },
} as const satisfies { [F in AuditFormat]: Record<keyof AuditOptions[F], Field> };

const days = {
  fromDate: field.date({ required: true, help: "first day" }),
  toDate: field.date({ required: true, help: "last day" }),
} as const;

const auditFile = () => import("../audit-files/audit-file-answer.ts");

export const auditFileRoutes = (Object.keys(parameters) as AuditFormat[]).map(
  (format): Route => ({
    method: "GET",
    path: `${extensionRoot}/AuditFiles/${format}`,
    // Each record that is read is asked for its own permission too.
    access: access.reports("accounting.journals.read"),
    parameters: { ...days, ...parameters[format] },
    answers: "file",
    answer: async (call) => (await auditFile()).answerAuditFile(call, format, parameters[format]),
  }),
);
