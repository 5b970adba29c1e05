/** The extensions of the public API: bank, opening balances, statements, assets, plans and more. */
import { assetDisposal } from "../../resources/asset.ts";
import { auditEntry } from "../../resources/audit-entry.ts";
import { bankMatch, bankSuggestion } from "../../resources/bank-match.ts";
import { eInvoiceFormats } from "../../resources/e-invoice.ts";
import { email } from "../../resources/email.ts";
import { erasure } from "../../resources/erasure.ts";
import * as field from "../../resources/field.ts";
import { extensionRoot, type Fields, pathOf } from "../../resources/field.ts";
import {
  asset,
  bankRule,
  bankStatement,
  bankStatementLine,
  creditNote,
  invoice,
  manualJournal,
  openingBalance,
  operation,
} from "../../resources/index.ts";
import { overview, overviewPath } from "../../resources/overview.ts";
import { plan, planStates } from "../../resources/plan.ts";
import { remittance } from "../../resources/remittance.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { access, reportAccess, settings, transactions } from "../request/permissions.ts";
import { answerOf, type Route } from "../request/route.ts";
import { auditFileRoutes } from "./audit-file-routes.ts";
import { explainRoutes } from "./explain-routes.ts";
import { del, get, invoicing, post, register } from "./registration.ts";

const bankLines = () => import("../bank/line-actions.ts");
const bankStatementsModule = () => import("../bank/statements.ts");
const banking = access.books(transactions, "accounting.banktransactions");
const linesPath = pathOf(bankStatementLine);
const linePath = `${linesPath}/{BankStatementLineID}`;
const bankAccountParameter = "the bank account, its code or AccountID";

const bankParameters = {
  account: field.text({ required: true, help: bankAccountParameter }),
  days: field.integer({
    min: 0,
    max: 366,
    help: "how many days after it is due a name still speaks for a document; 14 when not given",
  }),
  charges: field.text({
    help: "code of the account that charges go to of which the bank tells; a person has to say it when not given",
  }),
} as const;
const ofLine = { resource: bankStatementLine, answers: bankStatementLine } as const;

const bankRoutes = () => [
  ...register(bankStatement, {
    access: banking,
    endpoint: async () => (await bankStatementsModule()).bankStatements,
    routes: [
      del(
        `${pathOf(bankStatement)}/{BankStatementID}`,
        answerOf(bankStatementsModule, "removeStatement"),
        { resource: bankStatement, answers: bankStatement },
      ),
    ],
  }),
  ...register(bankRule, {
    access: banking,
    endpoint: async () => (await import("../bank/rules.ts")).bankRules,
  }),
  ...register(bankStatementLine, {
    access: banking,
    endpoint: async () => (await bankLines()).bankStatementLines,
    routes: [
      get(`${linesPath}/Suggestions`, answerOf(bankLines, "readSuggestions"), {
        answers: bankSuggestion,
        parameters: {
          ...bankParameters,
          line: field.id({ help: "one line alone" }),
          lines: field.text({ help: "several lines, ids with commas" }),
          certain: field.boolean({ help: "those alone that need no decision" }),
        },
      }),
      post(`${linesPath}/Reconcile`, answerOf(bankLines, "reconcileCertain"), {
        ...ofLine,
        parameters: {
          ...bankParameters,
          account: field.text({ help: `${bankAccountParameter}; all of them when not given` }),
        },
      }),
      post(`${linePath}/Match`, answerOf(bankLines, "matchLine"), { ...ofLine, takes: bankMatch }),
      post(`${linePath}/Unmatch`, answerOf(bankLines, "unmatchLine"), ofLine),
      post(`${linePath}/Ignore`, answerOf(bankLines, "ignoreLine"), ofLine),
      post(`${linePath}/Release`, answerOf(bankLines, "releaseLine"), ofLine),
    ],
  }),
];

const opening = () => import("../opening/opening-balances.ts");

const openingRoutes = () =>
  register(openingBalance, {
    access: access.reference(settings),
    endpoint: async () => (await opening()).openings,
    routes: [
      del(`${pathOf(openingBalance)}/{OpeningBalanceID}`, answerOf(opening, "removeOpening"), {
        resource: openingBalance,
        answers: openingBalance,
      }),
    ],
  });

const statements = () => import("../statements/send-statement.ts");
const statementPath = "/Extensions/Statements/{ContactID}";
const statementDays = {
  date: field.date({ help: "what is outstanding on this day; today when not given" }),
  fromDate: field.date({ help: "first day, for what moved it" }),
  toDate: field.date({ help: "last day" }),
} as const;

const statementRoutes = () =>
  register(undefined, {
    access: access.books(...invoicing),
    routes: [
      get(statementPath, answerOf(statements, "printStatement"), {
        answers: "file",
        parameters: statementDays,
      }),
      post(`${statementPath}/Email`, answerOf(statements, "emailStatement"), {
        actsFirst: true,
        takes: email,
        answers: email,
        parameters: statementDays,
      }),
    ],
  });

const remittances = () => import("../statements/remittances.ts");
const remittancePath = `${pathOf(remittance)}/{PaymentID}`;
const ofSupplier = {
  contactID: field.text({ help: "the supplier, where several are paid" }),
} as const;

const remittanceRoutes = () =>
  register(undefined, {
    access: access.books(transactions, "accounting.payments"),
    routes: [
      get(remittancePath, answerOf(remittances, "readRemittances"), {
        answers: remittance,
        parameters: ofSupplier,
        printed: answerOf(remittances, "printRemittance"),
      }),
      post(`${remittancePath}/Email`, answerOf(remittances, "emailRemittance"), {
        actsFirst: true,
        takes: email,
        answers: email,
        parameters: ofSupplier,
      }),
    ],
  });

const depreciation = () => import("../assets/depreciation.ts");
const journalsUntil = (help: string, moreFields: Fields = {}) => ({
  resource: manualJournal,
  answers: manualJournal,
  parameters: { to: field.date({ help }), ...moreFields },
});

const assetRoutes = () =>
  register(asset, {
    access: access.books(transactions, "accounting.manualjournals"),
    endpoint: async () => (await import("../assets/asset-register.ts")).assets,
    routes: [
      post(
        `${pathOf(asset)}/Depreciate`,
        answerOf(depreciation, "depreciate"),
        journalsUntil("months that have ended by this day; by the last month when not given"),
      ),
      post(
        `${pathOf(asset)}/Rollback`,
        answerOf(depreciation, "rollBack"),
        journalsUntil("a day of the last month that stays", {
          journals: field.text({ help: "instead, the journals that are voided, by their ids" }),
        }),
      ),
      post(`${pathOf(asset)}/{AssetID}/Dispose`, answerOf(depreciation, "dispose"), {
        resource: asset,
        takes: assetDisposal,
        answers: asset,
      }),
    ],
  });

const overviewRoutes = () =>
  register(undefined, {
    access: reportAccess("executivesummary"),
    routes: [
      get(
        overviewPath,
        answerOf(() => import("../overview/overview.ts"), "readOverview"),
        {
          answers: overview,
        },
      ),
    ],
  });

const plans = () => import("../plans/plans.ts");
const waitingPlans = () => import("../plans/waiting-plans.ts");
const decisions = () => import("../plans/decisions.ts");
const plansPath = pathOf(plan);
const planPath = `${plansPath}/{PlanID}`;
const ofKept = {
  answers: plan,
  parameters: { digest: field.text({ help: "Digest of the plan as it was shown" }) },
} as const;
const ofPlan = { takes: plan, answers: plan } as const;

// Each request of a plan is checked for its own permission when the plan is applied.
const planRoutes = () =>
  register(undefined, {
    access: access.sales(...invoicing, settings, "accounting.contacts"),
    routes: [
      post(plansPath, answerOf(plans, "makePlan"), {
        ...ofPlan,
        parameters: {
          answersOnly: field.boolean({
            help: "answer the requests, and leave out what they would do",
          }),
          keep: field.boolean({
            help: "false leaves the plan to the caller, who keeps it in a file",
          }),
          readAfter: field.text({ help: "with answersOnly: a path that is read after them" }),
        },
      }),
      get(plansPath, answerOf(waitingPlans, "readPlans"), {
        answers: plan,
        parameters: {
          state: field.choice(planStates, { help: "plans in this state alone" }),
          maker: field.text({ help: "part of the name of who made them, or of the app or agent" }),
          page: field.integer({ min: 1, help: "of 100 plans, or of pageSize" }),
          pageSize: field.integer({ min: 1, max: 1000 }),
        },
      }),
      get(planPath, answerOf(waitingPlans, "readPlan"), { answers: plan }),
      post(`${planPath}/Approve`, answerOf(decisions, "approveKept"), ofKept),
      post(`${planPath}/Apply`, answerOf(decisions, "applyKept"), ofKept),
      post(`${planPath}/Withdraw`, answerOf(decisions, "withdrawPlan"), {
        answers: plan,
        parameters: { reason: field.text({ help: "why a person refuses it" }) },
      }),
      post(`${plansPath}/Check`, answerOf(plans, "checkPlan"), ofPlan),
      post(`${plansPath}/Approve`, answerOf(plans, "approvePlan"), ofPlan),
      post(`${plansPath}/Apply`, answerOf(plans, "applyPlan"), ofPlan),
    ],
  });

const erasures = () => import("../erasure/erasure.ts");
const erasurePath = `${pathOf(erasure)}/{ContactID}`;

// Erasure needs more than the permission to write invoices.
const erasureRoutes = () =>
  register(undefined, {
    access: access.books("accounting.contacts"),
    routes: [
      get(erasurePath, answerOf(erasures, "readErasure"), { answers: erasure }),
      post(erasurePath, answerOf(erasures, "erase"), {
        answers: erasure,
        parameters: {
          files: field.boolean({ help: "removes the files on the contact as well" }),
        },
      }),
    ],
  });

const issuing = () => import("../e-invoices/issue.ts");
const receiving = () => import("../e-invoices/receive.ts");
const eInvoicePath = `${extensionRoot}/EInvoices`;
const issued = {
  answers: "file",
  parameters: {
    format: field.choice(eInvoiceFormats, {
      help: "its profile; the usual one of the country when not given",
    }),
  },
} as const;
const received = {
  access: access.books(...invoicing),
  takes: "file",
  parameters: {
    fileName: field.text({ help: "what the file is called on the draft" }),
    contact: field.text({ help: "the supplier, by id, number or name; found when not given" }),
    createContact: field.boolean({ help: "makes the supplier where no contact is it" }),
    account: field.text({ help: "where lines are booked; the usual one of the supplier" }),
    currencyRate: field.rate({ help: "foreign units for one of the base currency" }),
    totalsOnly: field.boolean({ help: "one line for each tax rate, where it has no lines" }),
    taxAsCost: field.boolean({ help: "tax is part of the cost, since it is not reclaimed" }),
  },
} as const;

const eInvoiceRoutes = () =>
  register(undefined, {
    access: access.sales(...invoicing),
    routes: [
      get(`${eInvoicePath}/Invoices/{InvoiceID}`, answerOf(issuing, "issueInvoice"), issued),
      get(`${eInvoicePath}/CreditNotes/{CreditNoteID}`, answerOf(issuing, "issueCreditNote"), {
        ...issued,
        access: access.reference(...invoicing),
      }),
      post(`${eInvoicePath}/Bills`, answerOf(receiving, "receiveBill"), {
        ...received,
        answers: invoice,
      }),
      post(`${eInvoicePath}/CreditNotes`, answerOf(receiving, "receiveCreditNote"), {
        ...received,
        answers: creditNote,
      }),
    ],
  });

const operations = () => import("../operations/operations.ts");

// An undo consists of reversing requests, each of which is checked for its own permission.
const operationRoutes = () =>
  register(operation, {
    access: access.sales(...invoicing, settings, "accounting.contacts"),
    endpoint: async () => (await operations()).operations as unknown as Endpoint,
    routes: [
      get(pathOf(operation), answerOf(operations, "readOperations"), {
        resource: operation,
        answers: operation,
        parameters: { record: field.id({ help: "only operations that wrote this record" }) },
      }),
      post(
        `${pathOf(operation)}/{OperationID}/Undo`,
        answerOf(() => import("../operations/undo.ts"), "planUndo"),
        {
          ...ofPlan,
          parameters: {
            keep: field.boolean({ help: "the service keeps the plan, until it is decided on" }),
            apply: field.boolean({ help: "done at once, under the PlanID of the body" }),
          },
        },
      ),
    ],
  });

const auditing = () => import("../audit/entries.ts");
const auditPath = pathOf(auditEntry);

const auditRoutes = () =>
  register(auditEntry, {
    access: access.administration(settings),
    routes: [
      get(auditPath, answerOf(auditing, "readEntries"), {
        answers: auditEntry,
        parameters: {
          since: field.timestamp({ help: "entries from this moment on" }),
          until: field.timestamp({ help: "entries before this moment" }),
          person: field.text({ help: "part of a name or an address, of who did it or to whom" }),
          app: field.text({ help: "part of the name of an app, or of an agent" }),
          kind: field.text({ help: "kinds of acts, or their subjects, with commas" }),
          page: field.integer({ min: 1, help: "of 100 entries, or of pageSize" }),
          pageSize: field.integer({ min: 1, max: 1000 }),
        },
      }),
      get(`${auditPath}/{AuditEntryID}`, answerOf(auditing, "readEntry"), { answers: auditEntry }),
    ],
  });

export const extensionRoutes = (): readonly Route[] => [
  ...overviewRoutes(),
  ...bankRoutes(),
  ...openingRoutes(),
  ...statementRoutes(),
  ...remittanceRoutes(),
  ...assetRoutes(),
  ...planRoutes(),
  ...erasureRoutes(),
  ...operationRoutes(),
  ...eInvoiceRoutes(),
  ...explainRoutes(),
  ...auditRoutes(),
  ...auditFileRoutes(),
];
