/** `acct organisation`: the organisation of the book, its settings, and its features. */

import { type BookSettings, change } from "../../admin/book.ts";
import { addressFields, phoneFields } from "../../resources/common.ts";
import type { Percent } from "../../resources/decimal.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { boolean, choice, percent, resource, text } from "../../resources/field.ts";
import { historyRecord } from "../../resources/history.ts";
import {
  type Organisation,
  type OrganisationSettings,
  organisation,
  organisationSetting,
  taxBases,
  taxPeriods,
} from "../../resources/organisation.ts";
import { bookPath } from "../connection/book-path.ts";
import { type Child, type Context, personOf } from "../context/context.ts";
import { command, type Flags } from "../framework/command.ts";
import { requireExtension, sayChanges } from "../framework/confirm.ts";
import { fieldsOf, readField } from "../framework/flags.ts";
import { fieldsInOptions, requireChange } from "../framework/input.ts";
import {
  type Address,
  readAddress,
  type TermOptions,
  termFlags,
  termsIn,
} from "../framework/party.ts";
import { parseYearEnd, type YearEnd } from "../values/year-end.ts";
import { type LockDateOptions, lockDateFlags, lockDatesIn } from "./book.ts";

const action = resource(
  "Action",
  { Name: text({ always: true }), Status: choice(["ALLOWED", "NOT-ALLOWED"], { always: true }) },
  {
    collection: ["GET"],
    plural: "Actions",
    id: "Name",
    columns: ["Name", "Status"],
    noun: "action",
    summary: "what the connected user may do",
  },
);

const cisSetting = resource(
  "CISSetting",
  { CISContractorEnabled: boolean(), CISSubContractorEnabled: boolean(), Rate: percent() },
  {
    collection: ["GET"],
    plural: "CISSettings",
    id: "CISContractorEnabled",
    columns: ["CISContractorEnabled", "CISSubContractorEnabled", "Rate"],
    noun: "setting",
    summary: "settings of the construction industry scheme",
  },
);

export async function ownOrganisation(ctx: Context): Promise<Organisation> {
  const client = await ctx.client();
  const [found] = await client.at(organisation, "/Organisation");
  if (found === undefined)
    throw new NotFoundError("NotFound", "The service names no organisation.");
  return found;
}

const showCommand = command("show", "show the organisation")
  .alias("view", "get", "list")
  .answers(organisation)
  .example("acct organisation show")
  .action(async (ctx) => ctx.out.record(organisation, await ownOrganisation(ctx)));

const actionsCommand = command("actions", "list what may be done in it")
  .answers(action)
  .example("acct organisation actions")
  .action(async (ctx) => {
    const client = await ctx.client();
    await ctx.out.records(action, await client.at(action, "/Organisation/Actions"));
  });

const cisCommand = command("cis", "show or set how it takes part in the construction scheme")
  .answers(cisSetting)
  .note("United Kingdom only. What is given is set, in the book file itself; the rest stays.")
  .field("contractor", { kind: "boolean" }, { help: "it deducts from what it pays subcontractors" })
  .field(
    "subcontractor",
    { kind: "boolean" },
    { help: "its customers deduct from what they pay it" },
  )
  .flag("rate", "percent that is deducted from its own sales", {
    placeholder: "0|20|30|none",
    read: (text, context): Percent | null =>
      text.toLowerCase() === "none"
        ? null
        : (readField({ kind: "percent" }, text, "--rate", context) as Percent),
  })
  .example("acct organisation cis")
  .example("acct organisation cis --subcontractor --rate 20")
  .action(async (ctx, { contractor, subcontractor, rate }) => {
    const isChange = [contractor, subcontractor, rate].some((setting) => setting !== undefined);
    if (isChange) await setCis(ctx, { contractor, subContractor: subcontractor, rate });
    const { OrganisationID } = await ownOrganisation(ctx);
    const client = await ctx.client();
    const settings = await client.at(cisSetting, `/Organisation/${OrganisationID}/CISSettings`);
    await ctx.out.records(cisSetting, settings);
  });

async function setCis(ctx: Context, cis: NonNullable<BookSettings["cis"]>): Promise<void> {
  const path = await bookPath(ctx, "Setting the construction industry scheme");
  if (ctx.flags.dryRun) ctx.out.say("The settings would change; they are still these.");
  else await change(path, { cis }, { ...personOf(ctx), clock: ctx.clock });
}

/** The name and all settings, except those whose flags take words of their own. */
const settings = [
  "Name" as const,
  ...fieldsOf(organisationSetting, {
    except: [
      ...(["DefaultSalesTax", "DefaultPurchasesTax"] as const),
      ...(["FinancialYearEndDay", "FinancialYearEndMonth"] as const),
      ...(["PeriodLockDate", "EndOfYearLockDate"] as const),
    ],
  }),
];

type DefaultTax = NonNullable<OrganisationSettings["DefaultSalesTax"]>;

/** How amounts are entered by default, by words that need no quotes in a shell. */
const defaultTaxes: Readonly<Record<string, DefaultTax>> = {
  exclusive: "Tax Exclusive",
  inclusive: "Tax Inclusive",
  none: "No Tax",
  previous: "Remember previous",
};

const defaultTax = (flag: string) => ({
  placeholder: Object.keys(defaultTaxes).join("|"),
  values: Object.keys(defaultTaxes),
  read: (text: string): DefaultTax => {
    const defaultTax = defaultTaxes[text.trim().toLowerCase()];
    if (defaultTax !== undefined) return defaultTax;
    const countryNames = Object.keys(defaultTaxes).join(", ");
    throw new UsageError("BadValue", `${flag} takes one of ${countryNames}, not "${text}".`);
  },
});

interface MoreSettings extends LockDateOptions, TermOptions {
  readonly defaultSalesTax?: DefaultTax | undefined;
  readonly defaultPurchasesTax?: DefaultTax | undefined;
  readonly financialYearEnd?: YearEnd | undefined;
  readonly address?: Address | undefined;
  readonly postalAddress?: Address | undefined;
  readonly phone?: string | undefined;
  readonly mobile?: string | undefined;
  readonly website?: string | undefined;
}

type UpdateOptions = Flags<typeof organisationSetting, (typeof settings)[number]> & MoreSettings;

/** Returns an address replaced as a whole by the given text; `none` clears it. */
const wholeAddress = (flag: string) => (text: string) => ({
  ...(Object.fromEntries(Object.keys(addressFields).map((name) => [name, undefined])) as Address),
  ...(text.trim().toLowerCase() === "none" ? {} : readAddress(flag)(text)),
});

const phoneNumber = { ...phoneFields.PhoneNumber };
const addressForm = "street=...,city=...";

/** Lists values by country: `AU CASH, ACCRUALS, NONE; NZ …`. */
function byVersion(choicesByVersion: Readonly<Record<string, readonly string[]>>): string {
  const countries = Object.entries(choicesByVersion).map(
    ([version, words]) => `${version === "GLOBAL" ? "others" : version} ${words.join(", ")}`,
  );
  return countries.join("; ");
}

const updateCommand = command("update", "change what the organisation is called and goes by")
  .alias("edit")
  .answers(organisation)
  .fields(organisationSetting, settings)
  .flag("default-sales-tax", "how amounts of sales are entered", defaultTax("--default-sales-tax"))
  .flag(
    "default-purchases-tax",
    "how amounts of purchases are entered",
    defaultTax("--default-purchases-tax"),
  )
  .flag("financial-year-end", "such as '31 March' or 03-31", {
    placeholder: "DAY",
    read: parseYearEnd,
  })
  .flags<LockDateOptions>(lockDateFlags)
  .flag("address", "where it is: street, line2, city, region, postcode, country; or none", {
    placeholder: addressForm,
    read: wholeAddress("--address"),
  })
  .flag("postal-address", "where its post goes, and what documents say; or none", {
    placeholder: addressForm,
    read: wholeAddress("--postal-address"),
  })
  .field("phone", phoneNumber, { help: "its telephone", clears: true })
  .field("mobile", phoneNumber, { help: "its mobile telephone", clears: true })
  .field("website", { kind: "text", max: 1000 }, { help: "its address on the web", clears: true })
  .flags<TermOptions>(termFlags)
  .note(
    "What is not given stays as it is; an empty text takes away what is there. Names, addresses and " +
      "numbers stand on documents and in emails; what was changed stands in acct organisation history.",
  )
  .note(
    `Bases of sales tax: ${byVersion(taxBases)}. Who is given NONE does not pay the tax, and its lines bear none; ` +
      "who is given another one does.",
  )
  .note(`Periods of sales tax: ${byVersion(taxPeriods)}.`)
  .note(
    "While a lock date is set and something was posted before it, the financial year keeps its end.",
  )
  .example("acct organisation update --tax-number 123-456-789 --phone '+64 4 555 0142'")
  .example("acct organisation update --address 'street=4 Heron Lane,city=Wellington,postcode=6011'")
  .example("acct organisation update --sales-tax-basis PAYMENTS --sales-tax-period TWOMONTHS")
  .example("acct organisation update --financial-year-end '30 June' --dry-run")
  .action(async (ctx, options: UpdateOptions) => {
    const input = settingsOf(options);
    requireChange(input);
    await requireExtension(ctx, "Changing the organisation", "POST", "/Organisation/Settings");
    const organisationBefore = await ownOrganisation(ctx);
    const client = await ctx.client();
    const under = "/Organisation";
    const results = await client.writeMany("POST", organisationSetting, [input], { under });
    const after = { ...organisationBefore, ...results[0]?.record };
    sayChanges(ctx, organisation, organisationBefore, after);
    await ctx.out.record(organisation, ctx.flags.dryRun ? after : await ownOrganisation(ctx));
  });

function settingsOf(options: UpdateOptions): OrganisationSettings {
  const { financialYearEnd: year, website } = options;
  const { address, postalAddress, phone, mobile } = options;
  const { defaultSalesTax, defaultPurchasesTax } = options;
  const Addresses = [
    ...(address === undefined ? [] : [{ ...address, AddressType: "STREET" as const }]),
    ...(postalAddress === undefined ? [] : [{ ...postalAddress, AddressType: "POBOX" as const }]),
  ];
  const Phones = [
    ...(phone === undefined ? [] : [wholePhone("DEFAULT", phone)]),
    ...(mobile === undefined ? [] : [wholePhone("MOBILE", mobile)]),
  ];
  const given = fieldsInOptions(organisationSetting, options);
  const { SalesTaxBasis: basis } = given;
  return {
    // Who owes no tax on sales is not registered for it, unless it is said otherwise.
    ...(basis && { PaysTax: basis !== "NONE" }),
    ...given,
    ...(defaultSalesTax && { DefaultSalesTax: defaultSalesTax }),
    ...(defaultPurchasesTax && { DefaultPurchasesTax: defaultPurchasesTax }),
    ...(year && { FinancialYearEndDay: year.day, FinancialYearEndMonth: year.month }),
    ...lockDatesIn(options),
    ...(Addresses.length === 0 ? {} : { Addresses }),
    ...(Phones.length === 0 ? {} : { Phones }),
    ...(website === undefined ? {} : { ExternalLinks: [websiteLink(website)] }),
    ...termsIn(options),
  };
}

/** Returns a phone replaced as a whole by the given text, which includes country and area code. */
const wholePhone = (PhoneType: "DEFAULT" | "MOBILE", PhoneNumber: string) => ({
  PhoneType,
  PhoneNumber,
  PhoneAreaCode: undefined,
  PhoneCountryCode: undefined,
});

const websiteLink = (text: string) => ({
  LinkType: "Website" as const,
  Url: text === "" || /^[a-z]+:/i.test(text) ? text : `https://${text}`,
});

const historyCommand = command("history", "what was changed of it, newest first")
  .answers(historyRecord)
  .example("acct organisation history")
  .action(async (ctx) => {
    await requireExtension(ctx, "The history of the organisation", "GET", "/Organisation/History");
    const client = await ctx.client();
    await ctx.out.records(historyRecord, await client.at(historyRecord, "/Organisation/History"));
  });

export const organisationVerbs: readonly Child[] = [
  showCommand,
  updateCommand,
  historyCommand,
  actionsCommand,
  cisCommand,
];
