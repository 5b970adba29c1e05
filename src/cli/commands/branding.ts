/** `acct branding`: branding themes: how printed documents look, and their payment terms. */
import {
  type BrandingSettings,
  type BrandingTheme,
  brandingSetting,
  brandingTheme,
} from "../../resources/branding-theme.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { fold } from "../../wire/fold.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { requireExtension, sayChanges } from "../framework/confirm.ts";
import { readBytes } from "../framework/input.ts";
import { deleteCommand, nounOf } from "../shared/verbs.ts";
import { parseValue } from "../values/value.ts";

const path = "/BrandingThemes/{BrandingThemeID}/Settings";

/** Returns the theme with a name or id; the default theme when not given. */
async function themeOf(ctx: Context, name: string | undefined): Promise<BrandingTheme> {
  const client = await ctx.client();
  const themes = await Array.fromAsync(client.list(brandingTheme));
  themes.sort((a, b) => a.SortOrder - b.SortOrder);
  const theme =
    name === undefined
      ? themes[0]
      : themes.find((theme) => fold(theme.Name) === fold(name) || theme.BrandingThemeID === name);
  if (theme !== undefined) return theme;
  const themeNames = themes.map((theme) => theme.Name).join(", ");
  throw new NotFoundError(
    "NotFound",
    `There is no branding theme ${name ?? ""}; there is ${themeNames}.`,
  );
}

async function settingsOf(ctx: Context, { BrandingThemeID }: BrandingTheme) {
  const client = await ctx.client();
  const at = `/BrandingThemes/${BrandingThemeID}/Settings`;
  const [settings] = await client.at(brandingSetting, at);
  if (settings !== undefined) return settings;
  throw new NotFoundError("NotFound", "The service says nothing of the theme.");
}

const listCommand = command("list", "list the branding themes")
  .alias("ls")
  .answers(brandingTheme)
  .example("acct branding list")
  .action(async (ctx) => {
    const client = await ctx.client();
    await ctx.out.records(brandingTheme, await Array.fromAsync(client.list(brandingTheme)));
  });

const showCommand = command("show", "show how the documents of a theme look")
  .alias("view", "get")
  .optionalArgument("THEME", "its name; the first theme when not given")
  .answers(brandingSetting)
  .example("acct branding show")
  .action(async (ctx, name) => {
    await requireExtension(ctx, "Branding of documents", "GET", path);
    await ctx.out.record(brandingSetting, await settingsOf(ctx, await themeOf(ctx, name)));
  });

/**
 * Parses a text of several lines, in which `\n` stands for a line break, as shells make it hard to
 * type one.
 */
const lines = (text: string): string => text.replaceAll("\\n", "\n").trim();

const createCommand = command("create", "make a theme, as for the documents of a currency")
  .alias("new")
  .writes()
  .argument("NAME", "what it is called")
  .answers(brandingTheme)
  .note("What it looks like is set by acct branding set --theme NAME.")
  .example('acct branding create "In dollars"')
  .action(async (ctx, name) => {
    await requireExtension(ctx, "Making branding themes", "PUT", "/Extensions/BrandingThemes");
    const client = await ctx.client();
    await ctx.out.record(
      brandingTheme,
      await client.create(brandingTheme, { Name: name }, { under: "/Extensions" }),
    );
  });

const setCommand = command("set", "change how the documents of a theme look")
  .writes()
  .alias("update")
  .answers(brandingSetting)
  .flag("theme", "the theme; the first one when not given", { placeholder: "NAME" })
  .flag("currency", "whose documents have the theme where they name none", {
    placeholder: "CODE|none",
    clears: true,
    read: readCurrency,
  })
  .flag("logo", "a PNG or JPEG of at most 1 MiB", { placeholder: "FILE|none", live: "file" })
  .flag("color", "of the title and the rules", {
    placeholder: "#RRGGBB|none",
    clears: true,
    read: readColor,
  })
  .flag("bank-details", "where customers pay to; \\n begins a new line", {
    placeholder: "TEXT",
    clears: true,
    read: lines,
  })
  .flag("bank-account", "the bank account that e-invoices name to be paid to", {
    placeholder: "NAME|CODE|none",
    live: "account",
    refers: "account",
    clears: true,
    read: (text) => (/^none$/i.test(text) ? "" : text),
  })
  .flag("payment-advice", "what customers are asked when they pay", {
    placeholder: "TEXT",
    clears: true,
    read: lines,
  })
  .flag("terms", "at the foot of invoices, credit notes and quotes", {
    placeholder: "TEXT",
    clears: true,
    read: lines,
  })
  .note("What is not given stays as it is; an empty text takes away what is there.")
  .note(
    "Name, address and numbers of the sender are those of the organisation: see acct organisation update.",
  )
  .example("acct branding set --logo logo.png --color '#1d4f91'")
  .note(
    "Bank details are left out of what is to be paid in another currency than that of the theme.",
  )
  .example("acct branding set --bank-account 090")
  .example("acct branding set --bank-details 'Kiwi Bank\\nHeron Lane Ltd\\n38-9000-0123456-00'")
  .action(async (ctx, options) => {
    const {
      theme: name,
      currency,
      logo,
      color,
      bankDetails,
      bankAccount,
      paymentAdvice,
      terms,
    } = options;
    const input: BrandingSettings = {
      ...(currency === undefined ? {} : { CurrencyCode: currency || undefined }),
      ...(color === undefined ? {} : { Color: color || undefined }),
      ...(bankDetails === undefined ? {} : { BankDetails: bankDetails || undefined }),
      ...(bankAccount === undefined ? {} : { BankAccount: accountNamed(bankAccount) }),
      ...(paymentAdvice === undefined ? {} : { PaymentAdvice: paymentAdvice || undefined }),
      ...(terms === undefined ? {} : { Terms: terms || undefined }),
    };
    const isChange = Object.keys(input).length > 0;
    if (!isChange && logo === undefined) {
      throw new UsageError(
        "MissingValue",
        "Nothing to change was given; see --help for what can be.",
      );
    }
    const picture = logo === undefined || logo === "none" ? undefined : await readLogo(ctx, logo);
    await requireExtension(ctx, "Branding of documents", "POST", path);
    const client = await ctx.client();
    const theme = await themeOf(ctx, name);
    const settingsBefore = await settingsOf(ctx, theme);
    if (logo !== undefined) {
      await client.setLogo(theme.BrandingThemeID, picture);
      if (ctx.flags.dryRun) ctx.out.say(picture ? "The logo would be set." : "The logo would go.");
    }
    if (!isChange) return ctx.out.record(brandingSetting, await settingsOf(ctx, theme));
    const themePath = `/BrandingThemes/${theme.BrandingThemeID}`;
    const [made] = await client.writeMany("POST", brandingSetting, [input], { under: themePath });
    const after = { ...settingsBefore, ...made?.record };
    sayChanges(ctx, brandingSetting, settingsBefore, after);
    await ctx.out.record(brandingSetting, ctx.flags.dryRun ? after : await settingsOf(ctx, theme));
  });

/** Returns a reference to an account by its code; undefined for none. */
function accountNamed(text: string): BrandingSettings["BankAccount"] {
  const Code = text.trim();
  return Code === "" ? undefined : { Code };
}

/** Parses a currency code; an empty text clears it. */
function readCurrency(text: string): BrandingSettings["CurrencyCode"] | "" {
  if (/^(?:none)?$/i.test(text.trim())) return "";
  const { CurrencyCode } = brandingSetting.fields;
  return parseValue(CurrencyCode, text, { name: "--currency" }) as BrandingSettings["CurrencyCode"];
}

/** Parses a colour such as `1d4f91` or `#1D4F91`; an empty text clears it. */
function readColor(text: string): string {
  const logoWord = text.trim().toLowerCase();
  if (logoWord === "none" || logoWord === "") return "";
  const digits = /^#?([0-9a-f]{6})$/.exec(logoWord)?.[1];
  if (digits !== undefined) return `#${digits}`;
  throw new UsageError(
    "BadValue",
    `--color takes six hexadecimal digits, '#1d4f91', not "${text}".`,
  );
}

async function readLogo(ctx: Context, file: string) {
  const body = await readBytes(ctx, file);
  const isPng = body[0] === 0x89;
  return { mimeType: isPng ? "image/png" : "image/jpeg", body };
}

export const brandingVerbs: readonly Child[] = [
  listCommand,
  showCommand,
  createCommand,
  setCommand,
  deleteCommand(
    nounOf(brandingTheme, { word: "branding", find: themeOf, example: "'In dollars'" }),
  ),
];
