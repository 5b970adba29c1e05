/** Letterhead of an organisation, read from its service. */
import {
  type Brand,
  type Letterhead,
  type Logo,
  letterheadOf,
  plainLetterhead,
} from "../output/letterhead.ts";
import { brandingSetting, brandingTheme } from "../resources/branding-theme.ts";
import { AuthError, NotFoundError, RefusedError } from "../resources/errors.ts";
import { organisation } from "../resources/organisation.ts";
import { collect } from "../wire/body.ts";
import type { Client } from "./client.ts";

/**
 * Returns the letterhead of the organisation with its first branding theme. Parts that the user may
 * not read, or the service lacks, are left out, since a missing logo must not fail a list.
 */
export async function letterheadAt(client: Client): Promise<Letterhead> {
  const ownRecord = await readable(async () => (await client.at(organisation, "/Organisation"))[0]);
  if (ownRecord === undefined) return plainLetterhead;
  const plainBrand: Brand = { color: undefined, logo: undefined };
  return letterheadOf(ownRecord, (await readable(() => brandAt(client))) ?? plainBrand);
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
export async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
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
