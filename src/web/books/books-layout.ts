/** Layout around every page: organisation, navigation, breadcrumbs, search. */
import { html, Markup } from "../../output/markup.ts";
import { auditFilePath } from "../../resources/audit-file.ts";
import { type Content, link } from "../frame/components.ts";
import { layoutPage } from "../frame/layout.ts";
import type { Page } from "../frame/page-context.ts";
import { auditFilesPath } from "./audit-files.ts";
import { statementUploadPath } from "./bank/statement-preview.ts";
import { statementsPath } from "./bank/statement-upload.ts";
import { recordLists, type SectionName, sections } from "./catalogue.ts";
import type { Site } from "./context.ts";
import { plansAsked, plansPath } from "./plans/decision-forms.ts";
import { billsPath, billUploadPath } from "./records/bill-upload.ts";

interface NavLink {
  readonly title: string;
  readonly shortTitle?: string;
  readonly path: string;
  /** API path that a reader must have permission for to see the link. */
  readonly asked: string;
  /** `POST` for a page of writers alone. */
  readonly method?: "GET" | "POST";
}

const reports = "/Reports/ProfitAndLoss";

/** First page of each section of the books. */
const tops: Readonly<Record<SectionName, NavLink>> = {
  overview: { title: "Overview", path: "/", asked: "/Organisation" },
  sales: { title: "Sales", path: "/invoices", asked: "/Invoices" },
  purchases: { title: "Purchases", path: "/bills", asked: "/PurchaseOrders" },
  bank: { title: "Bank", path: "/bank", asked: "/BankTransactions" },
  contacts: { title: "Contacts", path: "/contacts", asked: "/Contacts" },
  accounting: { title: "Accounting", path: "/accounts", asked: "/ManualJournals" },
  reports: { title: "Reports", path: "/reports", asked: reports },
};

/** Further pages of a section, besides its lists of records. */
const besides: Partial<Record<SectionName, readonly NavLink[]>> = {
  bank: [
    { title: "Accounts", path: "/bank", asked: "/BankTransactions" },
    {
      title: "Upload a statement",
      path: statementUploadPath,
      asked: statementsPath,
      method: "POST",
    },
  ],
  purchases: [{ title: "Upload a bill", path: billUploadPath, asked: billsPath, method: "POST" }],
  accounting: [
    { title: "Journals", path: "/journals", asked: "/Journals" },
    { title: "Plans", path: plansPath, asked: plansAsked },
  ],
  reports: [
    { title: "Reports", path: "/reports", asked: reports },
    { title: "Audit files", path: auditFilesPath, asked: auditFilePath("saft") },
  ],
};

/** Pages of a section that the reader may see, in the order of the navigation. */
function pagesOf({ allows }: Site, section: SectionName): readonly NavLink[] {
  const lists = recordLists.filter((recordList) => recordList.section === section);
  const allLinks: readonly NavLink[] = [...(besides[section] ?? []), ...lists];
  // The first page of the section comes first.
  const firstPath = tops[section].path;
  const orderedLinks: readonly NavLink[] = [
    ...allLinks.filter(({ path }) => path === firstPath),
    ...allLinks.filter(({ path }) => path !== firstPath),
  ];
  return orderedLinks.filter(({ asked, method = "GET" }: NavLink) => allows(method, asked));
}

/** A step of the breadcrumbs. */
export interface Crumb {
  readonly title: string;
  readonly href: string;
}

export interface LayoutContext {
  readonly site: Site;
  /** Name of the organisation; undefined where it is unknown. */
  readonly organisation: string | undefined;
  readonly section: SectionName | undefined;
  /** Path of the page, without a query. */
  readonly path: string;
  readonly crumbs: readonly Crumb[];
  /** Whether the reader has switched keys off. */
  readonly isWithoutKeys: boolean;
}

export function booksDocument(page: Page, layoutContext: LayoutContext): Markup {
  const { site, organisation } = layoutContext;
  const name = organisation ?? "Books";
  return layoutPage({
    title: `${page.title} – ${name}`,
    name,
    owner: link(`${site.base}/`, name),
    isWithoutKeys: layoutContext.isWithoutKeys,
    base: site.base,
    bar: html`${searchForm(site)}
${personOf(site)}`,
    navigation: navigationBar(layoutContext),
    content: html`${crumbsOf(layoutContext)}
<h1>${page.heading ?? page.title}</h1>
${page.body}`,
  });
}

function searchForm({ base }: Site): Markup {
  return html`<form class="search" role="search" method="get" action="${base}/search">
<label class="unseen" for="q">Search the books</label>
<input id="q" name="q" type="search" maxlength="255" placeholder="Search" aria-keyshortcuts="/">
<button class="act other">Search</button>
</form>`;
}

function personOf({ person, formToken, base }: Site): Content {
  if (person === undefined) return "";
  const { name, account, administration, signOut, others } = person;
  return html`<div class="person">${link(account, name)}
${administration === undefined ? "" : link(administration, "Administration")}
${others === undefined ? "" : link(others, "Other organisations")}
<form method="post" action="${signOut}"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="base" value="${base}"><button class="plain">Sign out</button></form></div>`;
}

function navigationBar({ site, section, path }: LayoutContext): Markup {
  const main = sections.filter((section) => site.allows("GET", tops[section].asked));
  const own = section === undefined ? [] : pagesOf(site, section);
  const item = ({ title, shortTitle: short = title, path: to }: NavLink, isCurrent: boolean) => {
    const current = isCurrent ? new Markup(` aria-current="${to === path ? "page" : "true"}"`) : "";
    return html`<li><a href="${site.base}${to}"${current}>${short}</a></li>`;
  };
  const isPage = own.some(({ path: to }) => to === path);
  const isHere = ({ path: to }: NavLink) => to === path || (!isPage && path.startsWith(`${to}/`));
  return html`<nav aria-label="Books"><ul class="strip">${main.map((value) =>
    item(tops[value], value === section),
  )}</ul></nav>
${
  own.length < 2
    ? ""
    : html`<nav aria-label="${tops[section as SectionName].title}"><ul class="strip minor">${own.map(
        (navLink) => item(navLink, isHere(navLink)),
      )}</ul></nav>`
}`;
}

function crumbsOf({ crumbs }: LayoutContext): Markup | "" {
  if (crumbs.length === 0) return "";
  return html`<nav class="crumbs" aria-label="The way here"><ol>${crumbs.map(
    ({ title, href }) => html`<li>${link(href, title)}</li>`,
  )}</ol></nav>
`;
}
