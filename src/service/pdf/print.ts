/** GET of one record as PDF, and the same for whatever else sends it. */

import { fileName, inlineDisposition, missingHeader } from "../../platform/file-name.ts";
import { brandingTheme, taxRate } from "../../resources/index.ts";
import { fetch, list } from "../../store/mapping/records.ts";
import { logoOf, offeredBy } from "../../store/records/branding.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/store.ts";
import { contentTypeOf } from "../../wire/format.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { type Endpoint, locate } from "../endpoints/endpoint.ts";
import { unique } from "../grouped.ts";
import { composed, type Theme } from "../pdf/compose.ts";
import type { Printable, PrintedKind } from "../pdf/kinds.ts";
import type { RequestContext } from "../request/context.ts";
import type { Printed, PrintedFile } from "./printed.ts";

/** What is to be printed, read in one go, so that no transaction waits for the layout. */
export interface ToPrint {
  readonly printed: Printed;
  readonly name: string;
}

/** @param key  id or number of the record, which the endpoint must know how to print */
export async function toPrint<S extends object>(
  call: RequestContext,
  tx: Tx,
  endpoint: Endpoint<S>,
  key: string,
): Promise<ToPrint> {
  const found = await locate(call, tx, endpoint, key);
  const [shown = found] = (await endpoint.expand?.(call, tx, [found], "single")) ?? [];
  const document = shown as unknown as Printable;
  const kind = (await endpoint.printed?.(shown)) as PrintedKind | undefined;
  if (kind === undefined) throw new Error(`${endpoint.resource.name} has no printed form.`);
  const types = unique((document.LineItems ?? []).map(({ TaxType }) => TaxType));
  const rates = types.length === 0 ? [] : await fetch(tx, taxRate, "TaxType", types);
  const printed = composed(kind, document, {
    organisation: await organisationOf(tx),
    rates: new Map(rates.map((each) => [each.TaxType ?? "", each])),
    theme: await themeOf(tx, document),
  });
  return { printed, name: fileName(kind.number(document), kind.id(document), "pdf") };
}

/** The theme of the document, else of its contact, else the first there is. */
async function themeOf(tx: Tx, { BrandingThemeID, Contact }: Printable): Promise<Theme> {
  const { records } = await list(tx, brandingTheme);
  const themes = records.sort((a, b) => a.SortOrder - b.SortOrder);
  const asked = [BrandingThemeID, Contact?.BrandingTheme?.BrandingThemeID];
  const [found = themes[0]] = asked.flatMap(
    (id) => themes.find((each) => each.BrandingThemeID === id) ?? [],
  );
  if (found === undefined) throw new Error("An organisation has a branding theme at least.");
  const { Color, BankDetails, PaymentAdvice, Terms, LogoUrl, BrandingThemeID: id } = found;
  return {
    color: Color,
    logo: LogoUrl === undefined ? undefined : await logoOf(tx, id),
    bankDetails: BankDetails,
    paymentAdvice: PaymentAdvice,
    terms: Terms,
    services: await offeredBy(tx, id),
  };
}

export async function fileOf({ printed, name }: ToPrint): Promise<PrintedFile> {
  const { paperOf } = await import("../pdf/pages.ts");
  return { name, ...(await paperOf(printed)) };
}

export async function printOne(
  call: RequestContext,
  endpoint: Endpoint,
  key: string,
): Promise<ServiceResponse> {
  const { name, bytes, missing } = await fileOf(
    await call.read((tx) => toPrint(call, tx, endpoint, key)),
  );
  return {
    status: 200,
    headers: {
      "content-type": contentTypeOf("pdf"),
      "content-disposition": inlineDisposition(name),
      // Whatever asks may say that a sign stands for these.
      ...(missing === ""
        ? {}
        : { [missingHeader]: encodeURIComponent([...missing].slice(0, 60).join("")) }),
    },
    body: bytes,
  };
}
