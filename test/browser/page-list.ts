/** The list of pages that are looked at by axe, measured, printed and pictured. */
import type { Page } from "playwright-core";
import { recordLists } from "../../src/web/books/catalogue.ts";
import { isOf, reportPages } from "../../src/web/books/reports/report-catalogue.ts";

/** Addresses on every book, whatever is in it. */
const always = [
  "/",
  "/bank",
  "/bank/upload",
  "/bills/upload",
  "/search?q=moa",
  "/search",
  "/keys",
  "/invoices?status=DRAFT",
  "/quotes?q=none-of-them",
  "/contacts?kind=customers",
  "/contacts?status=ARCHIVED",
  "/accounts?order=Code%20ASC",
  "/journals",
  "/plans?state=WAITING",
  "/reports",
  "/audit-files",
  "/audit-files/datev",
  "/nothing",
];

/**
 * Addresses of all pages of the books: each list, a record of each kind that the book has, each
 * report of New Zealand and of all countries.
 *
 * @param page  is led through the lists
 */
export async function bookPages(page: Page, origin: string): Promise<string[]> {
  const linkOn = async (path: string, link: string): Promise<string[]> => {
    await page.goto(`${origin}${path}`);
    const href = await page.locator(link).evaluateAll(([first]) => first?.getAttribute("href"));
    return href ? [href] : [];
  };
  const lists = recordLists.map(({ path }) => path);
  const records: string[] = [];
  for (const path of lists.filter((each) => each !== "/accounts")) {
    records.push(...(await linkOn(path, "tbody th a")));
  }
  const idBelow = (path: string) =>
    records
      .find((each) => each.startsWith(`${path}/`))
      ?.split("?")[0]
      ?.split("/")[2];
  const own: Readonly<Record<string, string>> = {
    AgedReceivablesByContact: `?contact=${idBelow("/contacts")}`,
    AgedPayablesByContact: `?contact=${idBelow("/contacts")}`,
    Statement: `?contact=${idBelow("/contacts")}`,
  };
  return [
    ...always,
    ...(await linkOn("/bank", 'main a[href*="/reconcile"]')),
    ...(await linkOn("/journals", "tbody th a")),
    ...(await linkOn("/plans", "tbody th a")),
    ...(await linkOn("/accounts", "tbody th a")).map((path) => `${path}&order=newest&q=inv`),
    ...lists,
    ...records,
    ...reportPages
      .filter((page) => isOf("NZ", page))
      .map(({ slug, name }) => `/reports/${slug}${own[name] ?? ""}`),
  ];
}

/** Sets the viewport of a page in print to its sheet of A4 between the margins, in CSS pixels. */
export async function fitPaper(page: Page): Promise<void> {
  await page.setViewportSize({ width: 688, height: 900 });
  const isLandscape = await page.evaluate("getComputedStyle(document.body).page === 'wide'");
  if (isLandscape) await page.setViewportSize({ width: 1017, height: 680 });
}
