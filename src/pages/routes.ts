/** Every page: its address, where it stands in the books, and what makes it. */

import { showBank } from "./bank/accounts.ts";
import { act, showReconcile } from "./bank/reconcile.ts";
import { recordLists, type SectionName } from "./catalogue.ts";
import { showAccount } from "./ledger/account.ts";
import { showJournal, showJournals } from "./ledger/journals.ts";
import { ledgerPath } from "./ledger/postings.ts";
import { showOverview } from "./overview.ts";
import { showDocument } from "./records/documents.ts";
import { showAttachment, showPdf, showStatement } from "./records/files.ts";
import { showList } from "./records/list.ts";
import { showRecord } from "./records/record.ts";
import { reportAt, reportTitle } from "./reports/catalogue.ts";
import { figureTitle, showFigure } from "./reports/figure.ts";
import { showReport, showReports } from "./reports/report.ts";
import { showSearch } from "./search.ts";
import type { Shown, Site, Visit } from "./visit.ts";

export interface Route {
  /** Segments in braces stand for any segment. */
  readonly path: string;
  readonly section?: SectionName;
  /** What its link says in the way here. */
  readonly title: (...parameters: string[]) => string;
  /** The page under which it stands where nothing led to it. */
  readonly parent?: string;
  readonly show: (visit: Visit, ...parameters: string[]) => Promise<Shown>;
  /** An address of the API that its reader must be allowed to ask; none where anybody may. */
  readonly asks?: (...parameters: string[]) => string | undefined;
  /** Answers a form that was sent to it. */
  readonly act?: (visit: Visit, ...parameters: string[]) => Promise<Shown>;
}

const said = (title: string) => () => title;

const bankAsks = said("/BankTransactions");
const reportAsks = (slug = "") => {
  const report = reportAt(slug);
  return report && `/Reports/${report.name}`;
};

const recordRoutes = recordLists.flatMap((list): Route[] => {
  const { path, section, title, noun, resource } = list;
  const record = `${path}/{id}`;
  const asks = said(list.asked);
  const below = { section, parent: path, title: said(noun), asks };
  return [
    { path, section, title: said(title), asks, show: (visit) => showList(visit, list) },
    // The page of an account is its ledger.
    ...(path === "/accounts"
      ? []
      : [{ ...below, path: record, show: (visit: Visit, id = "") => showRecord(visit, list, id) }]),
    ...(resource.printed === true
      ? [
          {
            ...below,
            path: `${record}/pdf`,
            show: (visit: Visit, id = "") => showPdf(visit, list, id),
          },
        ]
      : []),
    ...(resource.attachments === undefined
      ? []
      : [
          {
            ...below,
            path: `${record}/files/{name}`,
            show: (visit: Visit, id = "", name = "") => showAttachment(visit, list, id, name),
          },
        ]),
  ];
});

export const routes: readonly Route[] = [
  { path: "/", section: "overview", title: said("Overview"), show: showOverview },
  { path: "/search", title: said("Search"), show: showSearch },
  { path: "/documents/{id}", title: said("Document"), show: showDocument },
  { path: "/bank", section: "bank", title: said("Bank"), asks: bankAsks, show: showBank },
  {
    path: "/bank/{code}/reconcile",
    section: "bank",
    parent: "/bank",
    title: (code) => `Reconcile ${code}`,
    asks: bankAsks,
    show: showReconcile,
    act,
  },
  {
    path: "/contacts/{id}/statement",
    section: "contacts",
    parent: "/contacts",
    title: said("Statement"),
    asks: said("/Reports/Statement"),
    show: showStatement,
  },
  {
    path: "/accounts/{code}",
    section: "accounting",
    parent: "/accounts",
    title: (codes = "") => (codes.includes(",") ? "Accounts" : `Account ${codes}`),
    asks: said(ledgerPath),
    show: showAccount,
  },
  {
    path: "/journals",
    section: "accounting",
    title: said("Journals"),
    asks: said("/Journals"),
    show: showJournals,
  },
  {
    path: "/journals/{number}",
    section: "accounting",
    parent: "/journals",
    title: (number) => `Journal ${number}`,
    asks: said(ledgerPath),
    show: showJournal,
  },
  {
    path: "/reports",
    section: "reports",
    title: said("Reports"),
    asks: said("/Reports/ProfitAndLoss"),
    show: showReports,
  },
  {
    path: "/reports/{name}",
    section: "reports",
    parent: "/reports",
    title: (name = "") => reportTitle(name) ?? "Report",
    asks: reportAsks,
    show: showReport,
  },
  {
    path: "/figures/{name}",
    section: "reports",
    parent: "/reports",
    title: figureTitle,
    asks: reportAsks,
    show: showFigure,
  },
  ...recordRoutes,
];

export interface FoundRoute<R> {
  readonly route: R;
  /** Decoded segments that stand for the braces. */
  readonly parameters: readonly string[];
}

/**
 * Finds routes by paths.
 *
 * @returns finds one by a percent-encoded path, without a query; undefined where there is none
 */
export function routesBy<R extends Pick<Route, "path">>(
  routes: readonly R[],
): (path: string) => FoundRoute<R> | undefined {
  const parsed = routes.map((route) => ({ route, segments: route.path.slice(1).split("/") }));
  return (path) => {
    const given = path.slice(1).split("/");
    for (const { route, segments } of parsed) {
      const fits =
        segments.length === given.length &&
        segments.every((each, at) =>
          each.startsWith("{") ? given[at] !== "" : each === given[at],
        );
      if (!fits) continue;
      const parameters = given.filter((_, at) => segments[at]?.startsWith("{")).map(decoded);
      return parameters.includes(undefined)
        ? undefined
        : { route, parameters: parameters as readonly string[] };
    }
    return undefined;
  };
}

export const routeAt = routesBy(routes);

/** Tells whether a reader may see the page at an address; a path is looked up once. */
export function openingBy({ allows }: Site): (address: string) => boolean {
  const known = new Map<string, boolean>();
  return (address) => {
    const [path = ""] = address.split("?", 1);
    let may = known.get(path);
    if (may === undefined) {
      const found = routeAt(path);
      const asked = found?.route.asks?.(...found.parameters);
      may = asked === undefined || allows("GET", asked);
      known.set(path, may);
    }
    return may;
  };
}

export const isPage = (path: string): boolean => routeAt(path) !== undefined;

/** What a link to an address says. */
export function titleAt(address: string): string {
  const found = routeAt(address.split("?", 1)[0] ?? "");
  return found?.route.title(...found.parameters) ?? "Back";
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
