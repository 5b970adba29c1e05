/** `acct explain INV-0204 tax`, and explanations of figures of contacts, stock and tax forms. */
import { contact } from "../../resources/contact.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { contactFigures, documentFigures, itemFigures } from "../../resources/explained-figures.ts";
import { type FieldValues, idOf, type Resource } from "../../resources/field.ts";
import { documents, item, payment } from "../../resources/index.ts";
import { organisation } from "../../resources/organisation.ts";
import { type ReturnType, returnTypes, taxReturns } from "../../resources/tax-report.ts";
import { nameOf } from "../../wire/codec.ts";
import type { Context, Flag } from "../context/context.ts";
import { command, ownFlag } from "../framework/command.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../shared/filters.ts";
import { kindsOf, type NamedRecord, recordNamed } from "../shared/record-ref.ts";
import { allFlag, explainAt, type FigureOptions } from "./explain-report.ts";

/** Kinds of documents that have explanations. */
const explained = documents.filter(({ name }) => name !== "RepeatingInvoice").flatMap(kindsOf);

/**
 * Finds a document by its number, handle or id; of a payment the document that it settles.
 *
 * @throws NotFoundError that lists what can be explained, UsageError for an ambiguous name
 */
async function documentNamed(
  ctx: Context,
  text: string,
): Promise<Pick<NamedRecord, "resource" | "id">> {
  const kinds = [...explained, ...kindsOf(payment)];
  const namedRecord = await recordNamed(ctx, text, kinds).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(
      "NotFound",
      `There is no document and no report ${text}: acct explain takes apart documents by their numbers, such as INV-0204, figures of reports, such as pl 200, and balance, contact, item, tax-return and refusal.`,
    );
  });
  if (namedRecord.resource !== payment) return namedRecord;
  const settledDocuments = explained.flatMap(({ resource }) => {
    const document = (namedRecord.record as FieldValues)[resource.name] as FieldValues | undefined;
    return document === undefined ? [] : { resource, document };
  })[0] as { resource: Resource; document: FieldValues };
  const { resource, document } = settledDocuments;
  ctx.out.say(`${text} is a payment of ${nameOf(resource, document)}.`);
  return { resource, id: idOf(resource, document) };
}

export const explainDocument = command("document", "a figure of a document, by its number")
  .answers("report")
  .argument("DOCUMENT", "number or id; bill:S-1111 says which kind it is of", { live: "record" })
  .optionalArgument("FIGURE", "total when not given", { values: documentFigures })
  .flags<FigureOptions>([allFlag])
  .note("The word document may be left out: acct explain INV-0204 tax.")
  .note(
    "base is what it comes to in the currency of the books, line by line; withheld is what the " +
      "construction scheme takes off.",
  )
  .example("acct explain INV-0204 tax")
  .example("acct explain INV-0204 due")
  .example("acct explain bill:S-1111 base -o json")
  .action(async (ctx, key, figure, { all }) => {
    const { resource, id } = await documentNamed(ctx, key);
    await explainAt(ctx, `${resource.plural}/${encodeURIComponent(id)}`, query({ figure }, all), {
      template: `${resource.plural}/{${resource.id}}`,
    });
  });

function query(
  parameters: Readonly<Record<string, string | undefined>>,
  wantsAll: boolean | undefined,
): Record<string, string> {
  const entries = Object.entries({ ...parameters, all: wantsAll === true ? "true" : undefined });
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export const explainContact = command("contact", "why a contact owes, and is owed, what it is")
  .answers("report")
  .key(contact)
  .optionalArgument("FIGURE", "the one there is when not given, or the net of both", {
    values: contactFigures,
  })
  .flags<FigureOptions>([allFlag])
  .note("With --all each document stands with the payments and credits that settled it in part.")
  .example("acct explain contact 'Cuba Street Gifts'")
  .action(async (ctx, key, figure, { all }) => {
    const { ContactID } = await (await ctx.client()).find(contact, key);
    await explainAt(ctx, `Contacts/${ContactID}`, query({ figure }, all), {
      template: "Contacts/{ContactID}",
    });
  });

export const explainItem = command("item", "the value of an item in stock, or how many there are")
  .answers("report")
  .key(item)
  .optionalArgument("FIGURE", "value when not given", { values: itemFigures })
  .flags<FigureOptions>([allFlag])
  .example("acct explain item LAMP quantity")
  .action(async (ctx, key, figure, { all }) => {
    const { ItemID } = await (await ctx.client()).find(item, key);
    await explainAt(ctx, `Items/${ItemID}`, query({ figure }, all), { template: "Items/{ItemID}" });
  });

// --- tax forms ---------------------------------------------------------------------------------------

const entryFlag: Flag = ownFlag("field", "what the books do not know, as for the return", {
  placeholder: "BOX=AMOUNT",
  repeat: true,
  read: readEntry,
});

function readEntry(text: string): readonly [box: string, amount: string] {
  const match = /^([^=]+)=(-?\d+(?:\.\d{1,2})?)$/.exec(text.trim());
  if (match !== null) return [(match[1] ?? "").trim(), match[2] ?? ""];
  throw new UsageError("BadValue", `--field takes BOX=AMOUNT, not "${text}".`);
}

const draftFlag: Flag = ownFlag(
  "draft",
  "as the books stand, also where a return of these days was published",
);

type ReturnOptions = PeriodOptions &
  FigureOptions & {
    readonly field?: readonly (readonly [string, string])[];
    readonly draft?: boolean | undefined;
  };

async function explainBox(
  ctx: Context,
  type: ReturnType,
  row: string,
  { all, draft, field = [], ...days }: ReturnOptions,
): Promise<void> {
  const { from, to } = await periodOf(ctx, days);
  await explainAt(ctx, `Reports/${type}`, {
    ...query({ fromDate: from, toDate: to, row }, all),
    ...(draft === true ? { draft: "true" } : {}),
    ...Object.fromEntries(field),
  });
}

export const explainReturns = returnTypes.map((type) =>
  command(taxReturns[type].command, `a box of ${taxReturns[type].summary}`)
    .answers("report")
    .argument("BOX", "as the return names it")
    .flags<ReturnOptions>(() => [...periodFlags, entryFlag, draftFlag, allFlag])
    .example(
      `acct explain ${taxReturns[type].command} ${taxReturns[type].entry.split("=")[0]} --period last-quarter`,
    )
    .action((ctx, box, options) => explainBox(ctx, type, box, options)),
);

export const explainTaxReturn = command("tax-return", "a box of the return of the country")
  .alias("return")
  .answers("report")
  .argument("BOX", "as the return names it")
  .flags<ReturnOptions>(() => [...periodFlags, entryFlag, draftFlag, allFlag])
  .note(
    "Documents behind the box, other boxes by the formula of the form, and rounding. Where a return of " +
      "these days was published, it is explained as it was filed.",
  )
  .example("acct explain tax-return 10 --period last-quarter")
  .action(async (ctx, box, options) => {
    const [own] = await (await ctx.client()).at(organisation, "/Organisation");
    const type = returnTypes.find((type) => taxReturns[type].country === own?.CountryCode);
    if (type === undefined) {
      const countries = returnTypes.map((returnType) => taxReturns[returnType].countryName);
      throw new NotFoundError(
        "NotFound",
        `There is no tax return of the country of these books; there are those of ${countries.join(", ")}.`,
      );
    }
    await explainBox(ctx, type, box, options);
  });

export const explain1099 = command("1099", "what a contact was paid in a box of 1099 forms")
  .answers("report")
  .key(contact)
  .argument("BOX", "form and box, NEC1 or MISC3")
  .field(
    "year",
    { kind: "integer", min: 1990, max: 9998 },
    { help: "the one before this when not given" },
  )
  .flags<FigureOptions>([allFlag])
  .example("acct explain 1099 'Ledger & Lamb Accountants' NEC1 --year 2025")
  .action(async (ctx, key, box, { year, all }) => {
    const { ContactID } = await (await ctx.client()).find(contact, key);
    const reportYear = year === undefined ? undefined : String(year);
    await explainAt(
      ctx,
      "Reports/TenNinetyNine",
      query({ reportYear, contactID: ContactID, row: box }, all),
    );
  });
