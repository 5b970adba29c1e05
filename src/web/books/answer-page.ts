/** Answers requests for pages of the books. */
import { marksOf } from "../../output/figures.ts";
import { html, type Markup } from "../../output/markup.ts";
import { readId } from "../../resources/scalar.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { addressWith, linkTo, pageAddress, stepsOf, trailIn } from "../frame/breadcrumbs.ts";
import { waysOn } from "../frame/message.ts";
import type { PageRequest } from "../frame/page-context.ts";
import { answerIn, type Room } from "../frame/router.ts";
import { booksDocument, type Crumb } from "./books-layout.ts";
import { type BooksContext, organisationAt, type Site, todayAt } from "./context.ts";
import { keysAreOff } from "./keys-page.ts";
import { accessTest, type BooksRoute, isPage, routeAt, titleAt } from "./routes.ts";

/** Answers one request. @param report  called for each failure that is a bug */
export function answerPage(
  site: Site,
  request: PageRequest,
  report: (error: unknown) => void,
): Promise<ServiceResponse> {
  const booksRoom: Room<BooksContext, BooksRoute> = {
    ...site,
    routeAt,
    report,
    contextOf: () => contextOf(site, request),
    document: (page, { route, context: ctx, isRefusal }) => {
      const organisation = ctx?.organisation.Name;
      const isInMenu = !isRefusal && ctx !== undefined && route !== undefined;
      const crumbs = isInMenu ? crumbsOf(ctx, route) : [homeOf(site)];
      const { path } = request;
      const { section } = route ?? {};
      const isWithoutKeys = keysAreOff(request);
      const layoutContext = { site, path, organisation, section, crumbs, isWithoutKeys };
      if (!isRefusal) return booksDocument(page, layoutContext);
      const parent = ctx?.mayOpen(route?.parent ?? "/") === false ? undefined : route?.parent;
      const onward = waysOnFrom(site, path, { parent, isLost: page.status === 404 });
      const body = page.status === 403 ? (forbiddenText(ctx, path) ?? page.body) : page.body;
      return booksDocument({ ...page, body: html`${body}${onward}` }, layoutContext);
    },
  };
  return answerIn(booksRoom, request);
}

async function contextOf(
  site: Site,
  { path, query, form: plain, upload, cookies = new Map() }: PageRequest,
): Promise<BooksContext> {
  const organisation = await organisationAt(site);
  const { form, files = [] } = (await upload?.()) ?? { form: plain };
  return {
    ...site,
    query,
    form,
    files,
    cookies,
    faults: [],
    here: pageAddress(path, query),
    trail: trailIn(form ?? query, isPage),
    organisation,
    numberMarks: { ...marksOf(organisation.CountryCode), timezone: organisation.Timezone },
    today: todayAt(site, organisation),
    mayOpen: accessTest(site),
  };
}

/** What a page says that the role of its reader does not show; undefined where the role does. */
function forbiddenText(ctx: BooksContext | undefined, path: string): Markup | undefined {
  if (ctx === undefined || ctx.mayOpen(path)) return undefined;
  return html`<p>You may not see ${titleAt(path)}. An adviser of ${ctx.organisation.Name} can give you another role.</p>`;
}

/** Ways on from an error: a search for what was asked for, the list of its kind, the overview. */
function waysOnFrom(
  site: Site,
  path: string,
  { parent, isLost }: { readonly parent: string | undefined; readonly isLost: boolean },
): Markup {
  const [last = ""] = path.split("/").slice(-1);
  const term = readId(last) === undefined ? last.replaceAll("%20", " ") : "";
  const isTerm = isLost && /^[\w .-]{1,60}$/.test(term);
  const search = linkTo(site, addressWith("/search", [["q", term]]));
  return waysOn([
    ...(isTerm ? [[search, `Search for ${term}`] as const] : []),
    ...(parent === undefined ? [] : [[linkTo(site, parent), titleAt(parent)] as const]),
    [linkTo(site, "/"), "Overview"],
  ]);
}

const homeOf = (site: Site): Crumb => ({ title: "Overview", href: linkTo(site, "/") });

/** Breadcrumbs of a page: the pages that led to it; without these, its parent pages. */
function crumbsOf(ctx: BooksContext, { parent }: BooksRoute): readonly Crumb[] {
  const home = homeOf(ctx);
  const { here } = ctx;
  if (here === "/" || here.startsWith("/?")) return [];
  const steps = stepsOf(ctx).filter(([address]) => address !== "/");
  if (steps.length === 0) {
    return parent === undefined
      ? [home]
      : [home, { title: titleAt(parent), href: linkTo(ctx, parent) }];
  }
  return [home, ...steps.map(([address, href]) => ({ title: titleAt(address), href }))];
}
