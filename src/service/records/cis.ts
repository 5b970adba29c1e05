/**
 * CISSettings of the organisation and of contacts: the construction industry scheme.
 *
 * In similar services those of a contact are read-only; setting them (POST) is an extension.
 */
import { NotFoundError, refusal, refusalFor } from "../../resources/errors.ts";
import { boolean, percent, type Resource, resource, type Shape } from "../../resources/field.ts";
import { contact } from "../../resources/index.ts";
import { readId } from "../../resources/scalar.ts";
import { validate } from "../../resources/validate.ts";
import { type StoredFields, save } from "../../store/mapping/records.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { checkCisRate } from "../lookups/cis.ts";
import { answer, answerObjects } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { enter } from "../request/history.ts";
import { readInputs } from "../request/write.ts";
import { contacts } from "./masters/contact.ts";

const organisationFields = {
  CISContractorEnabled: boolean({ always: true }),
  CISSubContractorEnabled: boolean({ always: true }),
  Rate: percent(),
} as const;

/** GET /Organisation/{OrganisationID}/CISSettings: the settings of the organisation. */
export async function readCisSettings(call: RequestContext, key: string): Promise<ServiceResponse> {
  const record = await call.read(organisationOf);
  if (readId(key) !== record.OrganisationID || record.Version !== "UK") throw ukOnly();
  const settings = {
    CISContractorEnabled: record.CISContractorEnabled ?? false,
    CISSubContractorEnabled: record.CISSubContractorEnabled ?? false,
    Rate: record.CISRate,
  };
  return answerObjects(call, "CISSettings", "CISSetting", organisationFields, [settings]);
}

function ukOnly(): NotFoundError {
  return new NotFoundError("NotFound", "CIS settings exist for United Kingdom organisations only.");
}

const contactSetting = resource(
  "CISSetting",
  { CISEnabled: boolean({ always: true }), Rate: percent() },
  {
    plural: "CISSettings",
    id: "CISEnabled",
    columns: ["CISEnabled", "Rate"],
    noun: "setting",
    summary: "settings of the construction industry scheme",
  },
);

type StoredContact = StoredFields<typeof contact.fields>;

function answerContact(call: RequestContext, { CISEnabled = false, CISRate }: StoredContact) {
  const settings: Shape<typeof contactSetting> = { CISEnabled, Rate: CISRate };
  return answer(call, contactSetting as Resource, [settings], "single");
}

/**
 * GET /Contacts/{ContactID}/CISSettings: the settings of a contact; none if it was never in the
 * scheme.
 */
export async function readContactCis(call: RequestContext, key: string): Promise<ServiceResponse> {
  const contact: StoredContact = await call.read((tx) => locate(call, tx, contacts, key));
  if (contact.CISEnabled !== undefined) return answerContact(call, contact);
  throw new NotFoundError("NotFound", `${contact.Name} has no CIS settings.`);
}

/**
 * POST /Contacts/{ContactID}/CISSettings: sets whether tax is deducted from the contact, and the
 * rate.
 */
export async function writeContactCis(call: RequestContext, key: string): Promise<ServiceResponse> {
  const [input = {}] = readInputs(call, { resource: contactSetting }, 1);
  const faults = validate(contactSetting.fields, input, { creating: false });
  if (faults.length > 0) throw refusalFor(faults);
  const sentSettings = input as Partial<Shape<typeof contactSetting>>;
  return call.write(async (tx) => {
    const { Version } = await organisationOf(tx);
    if (Version !== "UK") throw ukOnly();
    const stored: StoredContact = await locate(call, tx, contacts, key);
    const CISEnabled = sentSettings.CISEnabled ?? stored.CISEnabled ?? true;
    const CISRate = Object.hasOwn(sentSettings, "Rate") ? sentSettings.Rate : stored.CISRate;
    if (CISRate !== undefined) checkCisRate(CISRate);
    if (CISEnabled && CISRate === undefined) throw refusal("Required", "Rate is required.");
    const saved: StoredContact = { ...stored, CISEnabled, CISRate, UpdatedDateUTC: call.now() };
    await save(tx, contact, [saved]);
    const details = CISEnabled
      ? `The construction industry scheme applies to ${stored.Name}.`
      : `The construction industry scheme applies to ${stored.Name} no more.`;
    await enter(call, tx, contact, stored.ContactID, { changes: "Edited", details });
    return answerContact(call, saved);
  });
}
