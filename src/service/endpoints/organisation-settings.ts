/** /Organisation/Settings and its history: what an organisation may change of itself, an extension. */
import { historyRecord, organisation } from "../../resources/index.ts";
import { type OrganisationSettings, organisationSetting } from "../../resources/organisation.ts";
import { historyOf } from "../../store/records/history.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { changeOrganisation } from "../books/organisation.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { checkAdvising } from "../request/permissions.ts";
import { readInputs } from "../request/write.ts";

/** GET /Organisation/Settings: what POST may change, as it is. */
export async function readSettings(call: RequestContext): Promise<ServiceResponse> {
  const record = await call.read(organisationOf);
  return answer(call, organisationSetting, [record], "single");
}

/** What decides which periods are closed, and how: for those who answer for the books alone. */
const advisers: readonly (keyof OrganisationSettings)[] = [
  "PeriodLockDate",
  "EndOfYearLockDate",
  "FinancialYearEndDay",
  "FinancialYearEndMonth",
];

/** POST /Organisation/Settings: what is sent is changed, the rest stays. */
export async function writeSettings(call: RequestContext): Promise<ServiceResponse> {
  const [input = {}] = readInputs(call, { resource: organisationSetting }, 1);
  if (advisers.some((name) => Object.hasOwn(input, name))) {
    checkAdvising(call.principal, "lock dates and the financial year");
  }
  const { now, newId, principal } = call;
  return call.write(async (tx) => {
    const record = await changeOrganisation(tx, input, { now, newId, user: principal.user });
    return answer(call, organisationSetting, [record], "single");
  });
}

/** GET /Organisation/History: what was changed of it, newest first. */
export async function readOrganisationHistory(call: RequestContext): Promise<ServiceResponse> {
  const records = await call.read(async (tx) => {
    const { OrganisationID } = await organisationOf(tx);
    return historyOf(tx, organisation.name, OrganisationID);
  });
  return answer(call, historyRecord, records, "single");
}
