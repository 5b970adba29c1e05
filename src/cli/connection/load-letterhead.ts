/** Letterhead and number format of the organisation, read by the commands that display them. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "../../client/client.ts";
import {
  type Brand,
  type Letterhead,
  type Logo,
  letterheadOf,
  plainLetterhead,
} from "../../output/letterhead.ts";
import { brandingSetting, brandingTheme } from "../../resources/branding-theme.ts";
import { AcctError, AuthError, NotFoundError, RefusedError } from "../../resources/errors.ts";
import { organisation } from "../../resources/organisation.ts";
import { collect } from "../../wire/body.ts";
import { cacheDir } from "../context/config.ts";
import type { Context } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import type { Home } from "../render/output.ts";
import type { DayOrder } from "../values/date-flags.ts";
import { exists } from "./choose-target.ts";

type Remote = Target & { readonly kind: "remote" };

/**
 * Returns the letterhead of the organisation with its first branding theme. Parts that the user may
 * not read, or the service lacks, are left out, since a missing logo must not fail a list.
 */
export async function letterheadAt(client: Client): Promise<Letterhead> {
  const own = await readable(async () => (await client.at(organisation, "/Organisation"))[0]);
  if (own === undefined) return plainLetterhead;
  const plain: Brand = { color: undefined, logo: undefined };
  return letterheadOf(own, (await readable(() => brandAt(client))) ?? plain);
}

async function brandAt(client: Client): Promise<Brand | undefined> {
  if (!(await client.offers("GET", "/BrandingThemes/{BrandingThemeID}/Settings"))) return undefined;
  const themes = await client.at(brandingTheme, "/BrandingThemes");
  const [first] = themes.toSorted((a, b) => a.SortOrder - b.SortOrder);
  if (first === undefined) return undefined;
  const path = `/BrandingThemes/${first.BrandingThemeID}`;
  const [settings] = await client.at(brandingSetting, `${path}/Settings`);
  const logo = settings?.LogoUrl === undefined ? undefined : await logoAt(client, `${path}/Logo`);
  return { color: settings?.Color, logo };
}

const logoBytesMax = 1024 * 1024;

async function logoAt(client: Client, path: string): Promise<Logo | undefined> {
  const answer = await client.send({ method: "GET", path, query: [], headers: {} });
  if (answer.status !== 200) return undefined;
  const { body } = answer;
  const bytes = typeof body === "string" ? Buffer.from(body) : await collect(body, logoBytesMax);
  return pictureOf(Buffer.from(bytes));
}

/** Returns type and size of an image from its content; undefined for all but PNG and JPEG. */
function pictureOf(bytes: Buffer): Logo | undefined {
  if (bytes.readUInt32BE(0) === 0x89504e47) {
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    return { mimeType: "image/png", width, height, bytes };
  }
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
    if (isFrame) return { mimeType: "image/jpeg", width, height, bytes };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Returns the result of a read; undefined where the user has no permission for it. */
async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isLacking = [AuthError, NotFoundError, RefusedError].some(
      (kind) => error instanceof kind,
    );
    if (isLacking) return undefined;
    throw error;
  }
}

/** How long facts of a remote organisation are cached, in milliseconds. */
const rememberedMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns country, time zone and currency of the organisation. Those of a remote service are
 * cached, to save a request for the sake of number formats.
 */
export async function homeAt(ctx: Context, client: Client, asks = true): Promise<Home> {
  const place = ctx.target();
  const read = async (): Promise<Home> => {
    const own = await readable(async () => (await client.at(organisation, "/Organisation"))[0]);
    const { CountryCode: country, Timezone: timezone, BaseCurrency: currency } = own ?? {};
    return { country, timezone, currency };
  };
  if (place.kind !== "remote") return read();
  const file = homeFile(ctx, place);
  const known = cachedHome(file, ctx.clock());
  if (known?.currency !== undefined || !asks) return known ?? {};
  const home = await read();
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(home), { mode: 0o600 });
  } catch {
    // A failure to cache is ignored: the facts are requested again.
  }
  return home;
}

function homeFile({ env }: Context, { baseUrl, tenant, token }: Remote): string {
  const { hash } = process.getBuiltinModule("node:crypto");
  const name = hash("sha256", JSON.stringify([baseUrl, tenant ?? token ?? ""])).slice(0, 16);
  return join(cacheDir(env), "homes", name);
}

/**
 * Returns the order of day and month in the country of the organisation, where it is unambiguous.
 */
export async function dayOrderAt(ctx: Context): Promise<DayOrder | undefined> {
  const place = ctx.target();
  if (place.kind !== "demo" && !exists(place)) return undefined;
  const { country } = await homeAt(ctx, await ctx.client());
  const { usualOrder } = await import("../../bank-files/csv/date-order.ts");
  const order = usualOrder({ country, isOwnCurrency: true });
  return order === "ymd" ? undefined : order;
}

/** Returns the time zone of the organisation as far as it is known locally, without a request. */
export async function timezoneOf(ctx: Context): Promise<string | undefined> {
  try {
    const place = ctx.target();
    if (place.kind === "remote") return cachedHome(homeFile(ctx, place), ctx.clock())?.timezone;
    return exists(place) ? (await homeAt(ctx, await ctx.client())).timezone : undefined;
  } catch (error) {
    if (error instanceof AcctError) return undefined;
    throw error;
  }
}

function cachedHome(file: string, now: number): Home | undefined {
  try {
    if (statSync(file).mtimeMs < now - rememberedMs) return undefined;
    return JSON.parse(readFileSync(file, "utf8")) as Home;
  } catch {
    return undefined;
  }
}
