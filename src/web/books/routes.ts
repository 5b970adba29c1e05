/** Routes of all pages: their addresses, parent pages and handlers. */

import { auditFilePath } from "../../resources/audit-file.ts";
import { pathOf } from "../../resources/field.ts";
import { remittance } from "../../resources/remittance.ts";
import { type Route as PageRoute, routesBy } from "../frame/router.ts";
import {
  auditFilesPath,
  auditFileTitle,
  sendAuditFile,
  showAuditFile,
  showAuditFiles,
} from "./audit-files.ts";
import { showBank } from "./bank/accounts.ts";
import { actOnLine } from "./bank/reconcile-acts.ts";
import { showReconcile } from "./bank/reconcile-page.ts";
import { statementUploadPath } from "./bank/statement-preview.ts";
import { showStatementUpload, undoImport, uploadStatement } from "./bank/statement-upload.ts";
import { recordLists, type SectionName } from "./catalogue.ts";
import type { BooksContext, Site } from "./context.ts";
import { showKeys, switchKeys } from "./keys-page.ts";
import { showAccount } from "./ledger/account-ledger.ts";
import { showAccountTree } from "./ledger/accounts-page.ts";
import { showJournal, showJournals } from "./ledger/journal-pages.ts";
import { ledgerPath } from "./ledger/postings.ts";
import { showOverview } from "./overview-page.ts";
import { decide } from "./plans/decide.ts";
import { plansAsked, plansPath } from "./plans/decision-forms.ts";
import { showPlan, showPlans } from "./plans/plan-pages.ts";
import { actOnList } from "./records/acts/approve-marked.ts";
import { actOnRecord } from "./records/acts/carry-out.ts";
import { billUploadPath, showBillUpload, uploadBill } from "./records/bill-upload.ts";
import { showDocument } from "./records/document-page.ts";
import { showAttachment, showPdf, showRemittance, showStatement } from "./records/downloads.ts";
import { showList } from "./records/list.ts";
import { showRecord } from "./records/record.ts";
import { figureTitle, showFigure } from "./reports/figure.ts";
import { reportAt, reportTitle } from "./reports/report-catalogue.ts";
import { showReport, showReports } from "./reports/report-page.ts";
import { showSearch } from "./search.ts";

/** Route of a page of the books. */
export interface BooksRoute extends PageRoute<BooksContext> {
  readonly section?: SectionName;
  /** Title of the page in breadcrumbs. */
  readonly title: (...parameters: string[]) => string;
  /** Path of the parent page, for breadcrumbs where no page led to this one. */
  readonly parent?: string;
  /**
   * API path that the reader must have permission for; undefined for pages that all readers may
   * see.
   */
  readonly asks?: (...parameters: string[]) => string | undefined;
}

const constantTitle = (title: string) => () => title;

const bankAsks = constantTitle("/BankTransactions");
const auditFilesAsks = constantTitle(auditFilePath("saft"));
const reportQuestion = (slug = "") => {
  const report = reportAt(slug);
  return report && `/Reports/${report.name}`;
};

/** Whether the chart is asked for as a tree, which has no filters. */
const isTree = ({ query }: BooksContext, path: string): boolean =>
  path === "/accounts" && [...query.keys()].every((name) => name === "via");

const recordRoutes = recordLists.flatMap((list): BooksRoute[] => {
  const { path, section, title, noun, resource } = list;
  const record = `${path}/{id}`;
  const permissionPath = constantTitle(list.asked);
  const childRoute = { section, parent: path, title: constantTitle(noun), asks: permissionPath };
  return [
    {
      ...{ path, section, title: constantTitle(title), asks: permissionPath },
      show: (ctx) => (isTree(ctx, path) ? showAccountTree(ctx) : showList(ctx, list)),
      act: (ctx) => actOnList(ctx, list),
    },
    // The ledger of an account serves as its record page.
    ...(path === "/accounts"
      ? []
      : [
          {
            ...childRoute,
            path: record,
            show: (ctx: BooksContext, id = "") => showRecord(ctx, list, id),
            act: (ctx: BooksContext, id = "") => actOnRecord(ctx, list, id),
          },
        ]),
    ...(resource.printed === true
      ? [
          {
            ...childRoute,
            path: `${record}/pdf`,
            show: (ctx: BooksContext, id = "") => showPdf(ctx, list, id),
          },
        ]
      : []),
    ...(resource.attachments === undefined
      ? []
      : [
          {
            ...childRoute,
            path: `${record}/files/{name}`,
            show: (ctx: BooksContext, id = "", name = "") => showAttachment(ctx, list, id, name),
          },
        ]),
  ];
});

export const routes: readonly BooksRoute[] = [
  { path: "/", section: "overview", title: constantTitle("Overview"), show: showOverview },
  { path: "/search", title: constantTitle("Search"), show: showSearch },
  { path: "/keys", title: constantTitle("Keys"), show: showKeys, act: switchKeys },
  { path: "/documents/{id}", title: constantTitle("Document"), show: showDocument },
  {
    path: "/bank",
    section: "bank",
    title: constantTitle("Bank"),
    asks: bankAsks,
    show: showBank,
    act: undoImport,
  },
  {
    path: statementUploadPath,
    section: "bank",
    parent: "/bank",
    title: constantTitle("Upload a statement"),
    asks: bankAsks,
    show: showStatementUpload,
    act: uploadStatement,
  },
  {
    path: "/bank/{code}/reconcile",
    section: "bank",
    parent: "/bank",
    title: (code) => `Reconcile ${code}`,
    asks: bankAsks,
    show: showReconcile,
    act: actOnLine,
  },
  {
    path: "/contacts/{id}/statement",
    section: "contacts",
    parent: "/contacts",
    title: constantTitle("Statement"),
    asks: constantTitle("/Reports/Statement"),
    show: showStatement,
  },
  {
    path: "/payments/{id}/remittance",
    section: "bank",
    parent: "/payments",
    title: constantTitle("Remittance advice"),
    asks: constantTitle(`${pathOf(remittance)}/{PaymentID}`),
    show: showRemittance,
  },
  {
    path: "/accounts/{code}",
    section: "accounting",
    parent: "/accounts",
    title: (codes = "") => (codes.includes(",") ? "Accounts" : `Account ${codes}`),
    asks: constantTitle(ledgerPath),
    show: showAccount,
  },
  {
    path: "/journals",
    section: "accounting",
    title: constantTitle("Journals"),
    asks: constantTitle("/Journals"),
    show: showJournals,
  },
  {
    path: "/journals/{number}",
    section: "accounting",
    parent: "/journals",
    title: (number) => `Journal ${number}`,
    asks: constantTitle(ledgerPath),
    show: showJournal,
  },
  {
    path: plansPath,
    section: "accounting",
    title: constantTitle("Plans"),
    asks: constantTitle(plansAsked),
    show: showPlans,
  },
  {
    path: `${plansPath}/{number}`,
    section: "accounting",
    parent: plansPath,
    title: (number) => `Plan ${number}`,
    asks: constantTitle(`${plansAsked}/{PlanID}`),
    show: showPlan,
    act: decide,
  },
  {
    path: "/reports",
    section: "reports",
    title: constantTitle("Reports"),
    asks: constantTitle("/Reports/ProfitAndLoss"),
    show: showReports,
  },
  {
    path: "/reports/{name}",
    section: "reports",
    parent: "/reports",
    title: (name = "") => reportTitle(name) ?? "Report",
    asks: reportQuestion,
    show: showReport,
  },
  {
    path: "/figures/{name}",
    section: "reports",
    parent: "/reports",
    title: figureTitle,
    asks: reportQuestion,
    show: showFigure,
  },
  {
    path: auditFilesPath,
    section: "reports",
    parent: "/reports",
    title: constantTitle("Audit files"),
    asks: auditFilesAsks,
    show: showAuditFiles,
  },
  {
    path: `${auditFilesPath}/{format}`,
    section: "reports",
    parent: auditFilesPath,
    title: auditFileTitle,
    asks: auditFilesAsks,
    show: showAuditFile,
    act: sendAuditFile,
  },
  {
    path: billUploadPath,
    section: "purchases",
    parent: "/bills",
    title: constantTitle("Upload a bill"),
    asks: constantTitle("/PurchaseOrders"),
    show: showBillUpload,
    act: uploadBill,
  },
  ...recordRoutes,
];

export const routeAt = routesBy(routes);

/** Creates a test whether a reader may see the page at an address; results are cached by path. */
export function accessTest({ allows }: Site): (address: string) => boolean {
  const mayByPath = new Map<string, boolean>();
  return (address) => {
    const [path = ""] = address.split("?", 1);
    let isAllowed = mayByPath.get(path);
    if (isAllowed === undefined) {
      const match = routeAt(path);
      const address = match?.route.asks?.(...match.parameters);
      isAllowed = address === undefined || allows("GET", address);
      mayByPath.set(path, isAllowed);
    }
    return isAllowed;
  };
}

export const isPage = (path: string): boolean => routeAt(path) !== undefined;

/** Title of a link to an address. */
export function titleAt(address: string): string {
  const match = routeAt(address.split("?", 1)[0] ?? "");
  return match?.route.title(...match.parameters) ?? "Back";
}
