/** /BrandingThemes and /PaymentServices: the look of documents, and their payment links. */

import type { Account } from "../../resources/account.ts";
import {
  type BrandingSettings,
  type BrandingTheme,
  brandingSetting,
  type PaymentService,
} from "../../resources/branding-theme.ts";
import { NotFoundError, refusal, refusalFor } from "../../resources/errors.ts";
import { brandingTheme, organisation, paymentService } from "../../resources/index.ts";
import { validate } from "../../resources/validate.ts";
import { fetch } from "../../store/mapping/records.ts";
import {
  type Act,
  type AuditChange,
  type Audited,
  recordAct,
} from "../../store/operations/audit-log.ts";
import { isUsed } from "../../store/queries/references.ts";
import {
  logoOf,
  offer,
  removeLogo,
  removeTheme,
  type StoredTheme,
  saveLogo,
  savePaymentService,
  saveTheme,
  servicesOf,
  themesOf,
} from "../../store/records/branding.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { actorOf } from "../audit/actors.ts";
import { bankAccountNamed } from "../documents/bank.ts";
import { loadChart } from "../lookups/chart-of-accounts.ts";
import { notSubscribed, subscribedCurrencies } from "../lookups/currencies.ts";
import { checkedLogo, logoBytesMax } from "../pdf/logo.ts";
import { answer, noContent } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import {
  type Endpoint,
  locate,
  type RecordWriter,
  readOnlyWriter,
  type WriteRequest,
} from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { mergeRecord, withDefaults } from "../request/merge.ts";
import type { RouteHandler } from "../request/route.ts";
import { unique } from "../request/unique.ts";
import { readInputs } from "../request/write.ts";

export const brandingThemes: Endpoint<BrandingTheme> = {
  resource: brandingTheme,
  listOrder: "SortOrder",
  expand: async (call, _tx, records) =>
    records.map((theme) => ({ ...theme, LogoUrl: logoUrl(call, theme) })),
  writer: readOnlyWriter,
};

/** Returns the URL of a theme's logo, of which the store has only the path. */
export function logoUrl(
  { baseUrl }: RequestContext,
  { LogoUrl }: BrandingTheme,
): string | undefined {
  return LogoUrl === undefined ? undefined : `${baseUrl}${LogoUrl}`;
}

/** Payment services by folded name. */
type NamesTaken = Map<string, PaymentService>;

async function loadTakenNames({ tx, entries }: WriteRequest<PaymentService>): Promise<NamesTaken> {
  const names = unique(
    entries.map(({ input }) => (input as Partial<PaymentService>).PaymentServiceName),
  );
  const services = await fetch(tx, paymentService, nameField, names);
  return new Map(services.map((service) => [fold(service.PaymentServiceName), service]));
}

const nameField = "PaymentServiceName";

export const paymentServices: Endpoint<PaymentService, NamesTaken> = {
  resource: paymentService,
  writer: async () => serviceWriting,
};

const serviceWriting: RecordWriter<PaymentService, NamesTaken> = {
  async alternates(batch) {
    const takenNames = await loadTakenNames(batch);
    return batch.entries.map(({ input }) => takenNames.get(fold(String(input[nameField] ?? ""))));
  },

  clash: (_input, stored) => ({
    rule: "Unique",
    message: nameTaken(stored.PaymentServiceName),
  }),

  load: loadTakenNames,

  async keep({ call, tx }, _known, decisions) {
    for (const { record } of decisions) {
      if (record === undefined) continue;
      const auditAct: Act<"ORGANISATION"> = {
        kind: "payment-service.added",
        by: actorOf(call),
        at: call.now(),
        subject: record.PaymentServiceName,
        subjectId: record.PaymentServiceID,
        changes: [{ name: "Address", after: record.PaymentServiceUrl }],
      };
      await savePaymentService(await recordAct(tx, auditAct), record);
    }
  },

  decide({ call }, taken, entry) {
    const faults = new Faults();
    const record: PaymentService = {
      ...withDefaults<PaymentService>(paymentService.fields, entry.input),
      PaymentServiceID: call.newId(),
    };
    // Customers pay by this link on invoices.
    if (URL.parse(record.PaymentServiceUrl)?.protocol !== "https:") {
      faults.add("Form", "PaymentServiceUrl must be an address that begins with https://.");
    }
    const name = fold(record.PaymentServiceName);
    if (taken.has(name)) faults.add("Unique", nameTaken(record.PaymentServiceName));
    faults.check();
    taken.set(name, record);
    entry.record = record;
    const details = `The payment service ${record.PaymentServiceName} was created.`;
    entry.history.push({ changes: "Created", details });
  },
};

function nameTaken(name: string): string {
  return `There is a payment service ${name} already.`;
}

/** GET /BrandingThemes/{id}/PaymentServices: the payment services that the theme offers. */
export async function readOffered(call: RequestContext, key: string): Promise<ServiceResponse> {
  const services = await call.read(async (tx) => {
    const { BrandingThemeID } = await locate(call, tx, brandingThemes, key);
    return servicesOf(tx, BrandingThemeID);
  });
  return answer(call, paymentService, services, "single");
}

/**
 * POST /BrandingThemes/{id}/PaymentServices: adds a payment service to a theme; answers all it
 * offers.
 */
export async function offerService(call: RequestContext, key: string): Promise<ServiceResponse> {
  const [input = {}] = readInputs(call, { resource: paymentService }, 1);
  const { PaymentServiceID } = input as Partial<PaymentService>;
  return call.write(async (tx) => {
    const theme = await locate(call, tx, brandingThemes, key);
    const faults = new Faults();
    if (PaymentServiceID === undefined) faults.add("Required", "PaymentServiceID is required.");
    const [service] = await fetch(
      tx,
      paymentService,
      "PaymentServiceID",
      PaymentServiceID === undefined ? [] : [PaymentServiceID],
    );
    if (PaymentServiceID !== undefined && service === undefined) {
      faults.add("NotFound", `There is no payment service ${PaymentServiceID}.`);
    }
    faults.check();
    if (service !== undefined) {
      const change = { name: "PaymentServices", after: service.PaymentServiceName };
      const audited = await recordAct(tx, actOn(call, theme, [change]));
      await offer(audited, theme.BrandingThemeID, service.PaymentServiceID);
    }
    return answer(call, paymentService, await servicesOf(tx, theme.BrandingThemeID), "single");
  });
}

async function themeAt(call: RequestContext, tx: Tx, key: string): Promise<StoredTheme> {
  return (await locate(call, tx, brandingThemes, key)) as StoredTheme;
}

async function brandingAnswer(
  call: RequestContext,
  tx: Tx,
  theme: StoredTheme,
): Promise<ServiceResponse> {
  const BankAccount = await bankAccountOf(tx, theme);
  const brandingRecord = { ...theme, BankAccount, LogoUrl: logoUrl(call, theme) };
  return answer(call, brandingSetting, [brandingRecord], "single");
}

/** Returns the bank account that a theme's e-invoices name; undefined if it no longer exists. */
export async function bankAccountOf(
  tx: Tx,
  { BankAccountID }: { readonly BankAccountID?: string | undefined },
): Promise<Account | undefined> {
  if (BankAccountID === undefined) return undefined;
  const account = (await loadChart(tx)).account(BankAccountID);
  return account?.Status === "ACTIVE" ? account : undefined;
}

/** GET /BrandingThemes/{id}/Settings: the settings of the theme. */
export const readBrandingSettings: RouteHandler = async (call, key) => {
  return call.read(async (tx) => brandingAnswer(call, tx, await themeAt(call, tx, key)));
};

/** POST /BrandingThemes/{id}/Settings: updates the sent settings, keeps the others. */
export const writeBrandingSettings: RouteHandler = async (call, key) => {
  const [input = {}] = readInputs(call, { resource: brandingSetting }, 1);
  const faults = validate(brandingSetting.fields, input, { creating: false });
  if (faults.length > 0) throw refusalFor(faults);
  const { Color } = input as BrandingSettings;
  if (Color !== undefined && !/^#[0-9a-f]{6}$/i.test(Color)) {
    throw refusal("Form", "Color is written as #1d4f91.");
  }
  return call.write(async (tx) => {
    const theme = await themeAt(call, tx, key);
    const { BankAccount, ...settings } = input as BrandingSettings;
    const changedTheme = mergeRecord(brandingSetting.fields, theme, settings);
    if (Object.hasOwn(input, "BankAccount")) {
      changedTheme.BankAccountID = BankAccount && (await namedAccount(tx, BankAccount)).AccountID;
    }
    const themeAfter = { ...changedTheme, Color: changedTheme.Color?.toLowerCase() };
    await checkCurrency(tx, themeAfter);
    await keep(call, await recordAct(tx, actOn(call, theme, changedSettings(theme, themeAfter))), {
      theme: themeAfter,
      what: changes(input),
    });
    return brandingAnswer(call, tx, await themeAt(call, tx, key));
  });
};

/** Refuses a currency that another theme is for, or that the organisation does not use. @throws RefusedError */
async function checkCurrency(
  tx: Tx,
  { BrandingThemeID, CurrencyCode }: StoredTheme,
): Promise<void> {
  if (CurrencyCode === undefined) return;
  const faults = new Faults();
  const subscribedCodes = await subscribedCurrencies(tx);
  if (!subscribedCodes.has(CurrencyCode)) faults.add("Currency", notSubscribed(CurrencyCode));
  const sameCurrency = await fetch(tx, brandingTheme, "CurrencyCode", [CurrencyCode]);
  const rival = sameCurrency.find((record) => record.BrandingThemeID !== BrandingThemeID);
  if (rival !== undefined) {
    faults.add("Unique", `The branding theme ${rival.Name} is that of ${CurrencyCode} already.`);
  }
  faults.check();
}

/** PUT /Extensions/BrandingThemes: makes a theme by its name, an extension; its settings follow. */
export async function makeTheme(call: RequestContext): Promise<ServiceResponse> {
  const [input = {}] = readInputs(call, { resource: brandingTheme }, 1);
  const faults = validate(brandingTheme.fields, input, { creating: true });
  if (faults.length > 0) throw refusalFor(faults);
  const { Name } = input as Pick<BrandingTheme, "Name">;
  return call.write(async (tx) => {
    const records = await themesOf(tx);
    if (records.some((storedTheme) => fold(storedTheme.Name) === fold(Name))) {
      throw refusal("Unique", `There is a branding theme ${Name} already.`);
    }
    const theme: StoredTheme = {
      BrandingThemeID: call.newId(),
      Name,
      Type: "INVOICE",
      SortOrder: Math.max(...records.map((storedTheme) => storedTheme.SortOrder)) + 1,
      CreatedDateUTC: call.now(),
    };
    const change = { name: "Name", after: Name };
    await keep(call, await recordAct(tx, actOn(call, theme, [change])), {
      theme,
      what: "it was made",
    });
    return answer(call, brandingTheme, [theme], "single");
  });
}

/** DELETE /BrandingThemes/{id}: an extension; refused for the last theme, and one that records have. */
export async function deleteTheme(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const theme = await themeAt(call, tx, key);
    const { BrandingThemeID, Name } = theme;
    if ((await themesOf(tx)).length === 1) {
      throw refusal("Status", `${Name} is the only branding theme; change it instead.`);
    }
    if (await isUsed(tx, brandingTheme, BrandingThemeID)) {
      const message = `Documents or contacts have the branding theme ${Name}, so it stays; give them another first.`;
      throw refusal("Status", message);
    }
    const change = { name: "Name", before: Name, after: undefined };
    const audited = await recordAct(tx, actOn(call, theme, [change]));
    await noteBranding(call, audited, `${Name}: it was deleted`);
    await removeTheme(audited, BrandingThemeID);
    return noContent;
  });
}

/** Returns the named account. @throws RefusedError */
async function namedAccount(tx: Tx, accountKey: Partial<Account>): Promise<Account> {
  const faults = new Faults();
  const chart = await loadChart(tx);
  const account = bankAccountNamed("BankAccount", accountKey, chart, (rule, message) =>
    faults.add(rule, message),
  );
  faults.check();
  return account as Account;
}

const changes = (input: object) => `${Object.keys(input).join(", ") || "Nothing"} was set`;

/** Makes the audit entry of an act on a theme. */
function actOn(
  call: RequestContext,
  { Name: subject, BrandingThemeID: subjectId }: BrandingTheme,
  changes: readonly AuditChange[],
): Act<"ORGANISATION"> {
  const [by, at] = [actorOf(call), call.now()];
  return { kind: "branding.changed", by, at, subject, subjectId, changes };
}

/** Returns the changed settings of a theme. */
function changedSettings(themeBefore: StoredTheme, saved: StoredTheme): readonly AuditChange[] {
  const names = [...Object.keys(brandingSetting.fields), "BankAccountID"];
  const text = (theme: StoredTheme, name: string) => {
    const value = (theme as Readonly<Record<string, unknown>>)[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return names.map((name) => ({ name, before: text(themeBefore, name), after: text(saved, name) }));
}

/** Saves a theme, with a note in the history of the organisation, whose documents use it. */
async function keep(
  call: RequestContext,
  tx: Audited<Tx>,
  { theme, what }: { readonly theme: StoredTheme; readonly what: string },
): Promise<void> {
  await saveTheme(tx, theme);
  await noteBranding(call, tx, `${theme.Name}: ${what}`);
}

async function noteBranding(call: RequestContext, tx: Tx, change: string): Promise<void> {
  const { OrganisationID } = await organisationOf(tx);
  const details = `Branding theme ${change}.`;
  await enter(call, tx, organisation, OrganisationID, { changes: "Branding", details });
}

/** GET /BrandingThemes/{id}/Logo: the picture of the logo. */
export async function readLogo(call: RequestContext, key: string): Promise<ServiceResponse> {
  const logo = await call.read(async (tx) => {
    const { BrandingThemeID } = await themeAt(call, tx, key);
    return logoOf(tx, BrandingThemeID);
  });
  if (logo === undefined) throw new NotFoundError("NotFound", "The branding theme has no logo.");
  const headers = {
    "content-type": logo.mimeType,
    "content-length": String(logo.bytes.length),
    "x-content-type-options": "nosniff",
  };
  return { status: 200, headers, body: logo.bytes };
}

/** PUT /BrandingThemes/{id}/Logo: replaces the logo by the picture in the body. */
export async function writeLogo(call: RequestContext, key: string): Promise<ServiceResponse> {
  const { file } = call;
  if (file === undefined) throw new Error("The route of a logo takes a file.");
  if (file.bytes > logoBytesMax) {
    throw refusal("Limit", `A logo has at most ${logoBytesMax / 1024} KiB.`);
  }
  const logoPieces: Buffer[] = [];
  // All pieces share one buffer, so each is copied.
  for await (const logoPiece of file.pieces(logoBytesMax)) logoPieces.push(Buffer.from(logoPiece));
  const logo = checkedLogo(Buffer.concat(logoPieces));
  return call.write(async (tx) => {
    const theme = await themeAt(call, tx, key);
    const size = `${logo.width} by ${logo.height} pixels`;
    const change = { name: "Logo", after: `${size}, SHA-256 ${sha256Of(logo.bytes)}` };
    const audited = await recordAct(tx, actOn(call, theme, [change]));
    await saveLogo(audited, theme.BrandingThemeID, logo);
    const LogoUrl = `/BrandingThemes/${theme.BrandingThemeID}/Logo`;
    const note = `a logo of ${size} was set`;
    await keep(call, audited, { theme: { ...theme, LogoUrl }, what: note });
    return brandingAnswer(call, tx, await themeAt(call, tx, key));
  });
}

function sha256Of(bytes: Uint8Array): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", bytes, "hex");
}

/** DELETE /BrandingThemes/{id}/Logo: removes the logo. */
export async function deleteLogo(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const theme = await themeAt(call, tx, key);
    const change = { name: "Logo", before: "set", after: undefined };
    const audited = await recordAct(tx, actOn(call, theme, [change]));
    await removeLogo(audited, theme.BrandingThemeID);
    const note = "the logo was removed";
    await keep(call, audited, { theme: { ...theme, LogoUrl: undefined }, what: note });
    return brandingAnswer(call, tx, await themeAt(call, tx, key));
  });
}
