/** Every page: its address, where it stands in the books, and what makes it. */

import { showBank } from "./bank/accounts.ts";
import { act, showReconcile } from "./bank/reconcile.ts";
import { recordLists, type SectionName } from "./catalogue.ts";
import { showAccount } from "./ledger/account.ts";
import { showJournal, showJournals } from "./ledger/journals.ts";
import { showOverview } from "./overview.ts";
import { showDocument } from "./records/documents.ts";
import { showAttachment, showPdf, showStatement } from "./records/files.ts";
import { showList } from "./records/list.ts";
import { showRecord } from "./records/record.ts";
import { reportTitle } from "./reports/catalogue.ts";
import { figureTitle, showFigure } from "./reports/figure.ts";
import { showReport, showReports } from "./reports/report.ts";
import { showSearch } from "./search.ts";
import type { Shown, Visit } from "./visit.ts";

export interface Route {
  /** Segments in braces stand for any segment. */
  readonly path: string;
  readonly section?: SectionName;
  /** What its link says in the way here. */
  readonly title: (...parameters: string[]) => string;
  /** The page under which it stands where nothing led to it. */
  readonly parent?: string;
  readonly show: (visit: Visit, ...parameters: string[]) => Promise<Shown>;
  /** Answers a form that was sent to it. */
  readonly act?: (visit: Visit, ...parameters: string[]) => Promise<Shown>;
}

const said = (title: string) => () => title;

const recordRoutes = recordLists.flatMap((list): Route[] => {
  const { path, section, title, noun, resource } = list;
  const record = `${path}/{id}`;
  const below = { section, parent: path, title: said(noun) };
  return [
    { path, section, title: said(title), show: (visit) => showList(visit, list) },
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
  { path: "/bank", section: "bank", title: said("Bank"), show: showBank },
  {
    path: "/bank/{code}/reconcile",
    section: "bank",
    parent: "/bank",
    title: (code) => `Reconcile ${code}`,
    show: showReconcile,
    act,
  },
  {
    path: "/contacts/{id}/statement",
    section: "contacts",
    parent: "/contacts",
    title: said("Statement"),
    show: showStatement,
  },
  {
    path: "/accounts/{code}",
    section: "accounting",
    parent: "/accounts",
    title: (codes = "") => (codes.includes(",") ? "Accounts" : `Account ${codes}`),
    show: showAccount,
  },
  { path: "/journals", section: "accounting", title: said("Journals"), show: showJournals },
  {
    path: "/journals/{number}",
    section: "accounting",
    parent: "/journals",
    title: (number) => `Journal ${number}`,
    show: showJournal,
  },
  { path: "/reports", section: "reports", title: said("Reports"), show: showReports },
  {
    path: "/reports/{name}",
    section: "reports",
    parent: "/reports",
    title: (name = "") => reportTitle(name) ?? "Report",
    show: showReport,
  },
  {
    path: "/figures/{name}",
    section: "reports",
    parent: "/reports",
    title: figureTitle,
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
