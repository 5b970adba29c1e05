/** /BrandingThemes/{id}/Settings and /Logo: how the documents of a theme look, an extension. */
import { type BrandingSettings, brandingSetting } from "../../resources/branding-theme.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { brandingTheme, organisation } from "../../resources/index.ts";
import { validate } from "../../resources/validate.ts";
import { type Kept, save } from "../../store/mapping/records.ts";
import { logoOf, removeLogo, saveLogo } from "../../store/records/branding.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/store.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { checkedLogo, logoBytesMax } from "../pdf/logo.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { refusal } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { merged } from "../request/merge.ts";
import { readInputs } from "../request/write.ts";
import { brandingThemes, logoUrl } from "./branding.ts";
import { locate } from "./endpoint.ts";

type StoredTheme = Kept<typeof brandingTheme.fields>;

async function themeAt(call: RequestContext, tx: Tx, key: string): Promise<StoredTheme> {
  return (await locate(call, tx, brandingThemes, key)) as StoredTheme;
}

function answered(call: RequestContext, theme: StoredTheme): ServiceResponse {
  return answer(call, brandingSetting, [{ ...theme, LogoUrl: logoUrl(call, theme) }], "single");
}

/** GET /BrandingThemes/{id}/Settings. */
export async function readBrandingSettings(
  call: RequestContext,
  key: string,
): Promise<ServiceResponse> {
  return answered(call, await call.read((tx) => themeAt(call, tx, key)));
}

/** POST /BrandingThemes/{id}/Settings: what is sent is changed, the rest stays. */
export async function writeBrandingSettings(
  call: RequestContext,
  key: string,
): Promise<ServiceResponse> {
  const [input = {}] = readInputs(call, { resource: brandingSetting }, 1);
  const faults = validate(brandingSetting.fields, input, { creating: false });
  if (faults.length > 0) throw refusal(faults.map((fault) => fault.message));
  const { Color } = input as BrandingSettings;
  if (Color !== undefined && !/^#[0-9a-f]{6}$/i.test(Color)) {
    throw refusal(["Color is written as #1d4f91."]);
  }
  return call.write(async (tx) => {
    const theme = await themeAt(call, tx, key);
    const changed = merged(brandingSetting.fields, theme, input);
    await keep(call, tx, { ...changed, Color: changed.Color?.toLowerCase() }, changes(input));
    return answered(call, await themeAt(call, tx, key));
  });
}

const changes = (input: object) => `${Object.keys(input).join(", ") || "Nothing"} was set`;

/** What is done to a theme stands in the history of the organisation, whose documents they are. */
async function keep(call: RequestContext, tx: Tx, theme: StoredTheme, what: string): Promise<void> {
  await save(tx, brandingTheme, [theme]);
  const { OrganisationID } = await organisationOf(tx);
  const details = `Branding theme ${theme.Name}: ${what}.`;
  await enter(call, tx, organisation, OrganisationID, { changes: "Branding", details });
}

/** GET /BrandingThemes/{id}/Logo: the picture. */
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

/** PUT /BrandingThemes/{id}/Logo: the body is the picture, which takes the place of the one before. */
export async function writeLogo(call: RequestContext, key: string): Promise<ServiceResponse> {
  const { file } = call;
  if (file === undefined) throw new Error("The route of a logo takes a file.");
  if (file.bytes > logoBytesMax) {
    throw refusal([`A logo has at most ${logoBytesMax / 1024} KiB.`]);
  }
  const pieces: Buffer[] = [];
  // A copy: all pieces share their memory.
  for await (const piece of file.pieces(logoBytesMax)) pieces.push(Buffer.from(piece));
  const logo = checkedLogo(Buffer.concat(pieces));
  return call.write(async (tx) => {
    const theme = await themeAt(call, tx, key);
    await saveLogo(tx, theme.BrandingThemeID, logo);
    const LogoUrl = `/BrandingThemes/${theme.BrandingThemeID}/Logo`;
    const what = `a logo of ${logo.width} by ${logo.height} pixels was set`;
    await keep(call, tx, { ...theme, LogoUrl }, what);
    return answered(call, await themeAt(call, tx, key));
  });
}

/** DELETE /BrandingThemes/{id}/Logo. */
export async function deleteLogo(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const theme = await themeAt(call, tx, key);
    await removeLogo(tx, theme.BrandingThemeID);
    await keep(call, tx, { ...theme, LogoUrl: undefined }, "the logo was removed");
    return answered(call, await themeAt(call, tx, key));
  });
}
