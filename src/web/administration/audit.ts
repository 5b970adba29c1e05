/** Administration page of the audit log. */
import { html, type Markup } from "../../output/markup.ts";
import { type AuditEntry, auditEntry, auditSubjects } from "../../resources/audit-entry.ts";
import { pathOf } from "../../resources/field.ts";
import { timeText } from "../books/shown-values.ts";
import {
  cardTable,
  type FilterField,
  facts,
  filterForm,
  isolated,
  link,
  pagePart,
  pagerLinks,
} from "../frame/components.ts";
import type { Page } from "../frame/page-context.ts";
import type { Route } from "../frame/router.ts";
import type { AdministrationContext } from "./context.ts";

/** Number of audit entries per page. */
const pageSize = 50;

const filters: readonly FilterField[] = [
  { kind: "search", name: "person", label: "Person" },
  {
    kind: "choice",
    name: "kind",
    label: "What of",
    none: "Everything",
    values: auditSubjects.map((subject) => [subject, wordsOf(subject)] as const),
  },
  { kind: "date", name: "since", label: "From" },
  { kind: "date", name: "until", label: "Before" },
];

function wordsOf(subject: string): string {
  const words = subject.replaceAll("-", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

async function showLog(ctx: AdministrationContext): Promise<Page> {
  const { query } = ctx;
  const filter = Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
  const page = Math.max(1, Math.trunc(Number(query.get("page") ?? "1")) || 1);
  const parameters = { ...filter, pageSize: String(pageSize) };
  const records = ctx.client.list(auditEntry, { parameters, page });
  const entries: AuditEntry[] = [];
  for await (const record of records) entries.push(record);
  return {
    title: "Audit log",
    body: html`${filterForm(ctx, "/audit", filters, filter)}
${cardTable({
  caption: "Acts of administration, the newest first",
  columns: [
    { heading: "When" },
    { heading: "Who" },
    { heading: "What" },
    { heading: "From" },
    { heading: "" },
  ],
  rows: entries.map((each) => [
    timeText(each.DateUTC, ctx.timezone),
    isolated(actorName(each)),
    isolated(each.Act),
    isolated(each.Address ?? throughWords[each.Through]),
    html`<a href="${ctx.base}/audit/${each.AuditEntryID}" aria-label="Entry ${each.AuditEntryID}">${each.AuditEntryID}</a>`,
  ]),
  empty: "No entry is like that.",
})}
${pagerLinks(ctx, "/audit", filter, { page, isLast: !records.more })}`,
  };
}

const throughWords = {
  TERMINAL: "the server's machine",
  API: "an app",
  BROWSER: "a browser",
  MCP: "a tool of an agent",
  SERVER: "the server itself",
} as const satisfies Record<AuditEntry["Through"], string>;

const actorName = ({ User, EmailAddress, AppName }: AuditEntry) =>
  [User ?? EmailAddress ?? "somebody", AppName && `by ${AppName}`].filter(Boolean).join(", ");

async function showEntry(ctx: AdministrationContext, id = ""): Promise<Page> {
  const [entry] = await ctx.client.at(
    auditEntry,
    `${pathOf(auditEntry)}/${encodeURIComponent(id)}`,
  );
  if (entry === undefined) throw new Error("The service answers an entry or refuses it.");
  const { Changes = [] } = entry;
  const detail = (label: string, value: string | undefined) =>
    value === undefined ? [] : [[label, isolated(value)] as const];
  return {
    title: `Entry ${entry.AuditEntryID}`,
    body: html`<p>${isolated(actorName(entry))} ${isolated(entry.Act)}.</p>
${facts([
  ["When", timeText(entry.DateUTC, ctx.timezone)],
  ["Kind", entry.Kind],
  ...detail("Email address", entry.EmailAddress),
  ...detail("App", entry.AppName),
  ["Through", throughWords[entry.Through]],
  ...detail("From", entry.Address),
  ...detail("Request", entry.RequestID),
  ...detail("Done to", entry.Subject),
  ["Log", entry.Log === "SERVER" ? "of the server" : "of the organisation"],
])}
${Changes.length === 0 ? "" : pagePart("changes", "What changed", changesOf(Changes))}
<p>${link(`${ctx.base}/audit`, "Back to the audit log")}</p>`,
  };
}

function changesOf(changes: NonNullable<AuditEntry["Changes"]>): Markup {
  return cardTable({
    caption: "What changed",
    columns: [{ heading: "Of" }, { heading: "Before" }, { heading: "After" }],
    rows: changes.map(({ Name, Before = "", After = "" }) => [
      isolated(Name),
      isolated(Before),
      isolated(After),
    ]),
  });
}

export const auditRoutes: readonly Route<AdministrationContext>[] = [
  { path: "/audit", show: showLog },
  { path: "/audit/{id}", show: showEntry },
];
