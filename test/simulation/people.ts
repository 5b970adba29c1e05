/** People of other roles and other apps at the books, and what each of them is told. */

import { createService } from "../../src/service/api/service.ts";
import { organisationRoles } from "../../src/service/request/scopes.ts";
import { type Role, roles } from "../../src/store/directory/people.ts";
import { textOf } from "../../src/wire/body.ts";
import type { ServiceRequest } from "../../src/wire/http.ts";
import type { Json, World } from "../service/fixture.ts";
import { clientOf } from "./clients.ts";
import type { Simulation } from "./simulation.ts";
import type { Client } from "./steps.ts";

/** Sends a request past all servers, in the name of an app and of a person of a role. */
async function sentAs(
  { checker, clock }: Simulation,
  who: { readonly app: string; readonly role: Role },
  request: Omit<ServiceRequest, "headers" | "query" | "body"> & {
    readonly query?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: object;
  },
) {
  const { transport: handle } = createService({
    ...checker.dependencies,
    newId: clock.newIds(),
    responseId: clock.newIds(),
    authenticate: () => ({
      org: checker.org,
      app: who.app,
      appName: who.app,
      user: "Rae Reader",
      email: "rae@heron.example",
      ...organisationRoles[who.role],
      scopes: "all",
    }),
  });
  const { body, headers = {}, query = {}, ...rest } = request;
  const answer = await handle({
    ...rest,
    query: Object.entries(query),
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
  });
  return { status: answer.status, text: await textOf(answer.body) };
}

// --- roles -----------------------------------------------------------------------------------

interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Roles that may do it; the body is refused for them, so that nothing is ever written. */
  readonly may: readonly Role[];
}

const bookkeepers: readonly Role[] = ["adviser", "standard", "standard-without-reports"];

/** Requests that write, and reports, each with the roles that may send it. */
const attempts: readonly Attempt[] = [
  {
    method: "PUT",
    path: "/Contacts",
    body: { Name: "" },
    may: [...bookkeepers, "invoice-only"],
  },
  {
    method: "PUT",
    path: "/Invoices",
    body: { Type: "ACCREC" },
    may: [...bookkeepers, "invoice-only"],
  },
  { method: "PUT", path: "/ManualJournals", body: { Narration: "" }, may: bookkeepers },
  { method: "PUT", path: "/Payments", body: { Amount: 1 }, may: bookkeepers },
  {
    method: "POST",
    path: "/Organisation/Settings",
    body: { PeriodLockDate: "x" },
    may: bookkeepers,
  },
  { method: "GET", path: "/Reports/TrialBalance", may: ["adviser", "standard", "read-only"] },
  { method: "GET", path: "/Journals", may: ["adviser", "standard", "read-only"] },
  {
    method: "POST",
    path: "/Extensions/Plans",
    body: { Requests: [{ Method: "PUT", Path: "/Contacts", Body: '{"Name":""}' }] },
    may: [...bookkeepers, "invoice-only"],
  },
];

/** Whether each role is let through to what it may do, and to nothing else. */
export async function faultsOfRoles(simulation: Simulation, step: number): Promise<string[]> {
  const role = roles[step % roles.length] as Role;
  const attempt = attempts[Math.floor(step / roles.length) % attempts.length] as Attempt;
  const { may, ...request } = attempt;
  const { status } = await sentAs(simulation, { app: "Till", role }, request);
  const isForbidden = status === 403;
  if (isForbidden !== may.includes(role)) return [];
  const did = `${request.method} ${request.path}`;
  return [`A person whose role is ${role} was answered ${status} to ${did}.`];
}

// --- apps ------------------------------------------------------------------------------------

/** Another app uses the key of a sale that was answered: it gets a sale of its own. */
export async function reuseKey(simulation: Simulation): Promise<void> {
  const { acknowledged, clock, faults } = simulation;
  const first = acknowledged.answered.findLast(({ status }) => status === 200);
  const key = first?.request.headers["idempotency-key"];
  if (key === undefined) return;
  const Reference = `of another app, ${simulation.step}`;
  const headers = { "idempotency-key": key };
  const sale = simulation.sale(4200, { Reference });
  const { status, text } = await sentAs(
    simulation,
    { app: "Other till", role: "standard" },
    { method: "PUT", path: "/Invoices", body: sale, headers },
  );
  if (status !== 200 || JSON.parse(text).Invoices[0].Reference !== Reference) {
    faults.push(`The key of another app was answered ${status}: ${text}`);
    return;
  }
  const request = { method: "PUT", path: "/Invoices", query: [], headers } as const;
  acknowledged.note({ request, status, text, at: clock.now });
  // That app's answer is not for the clients here.
  acknowledged.answered.pop();
}

// --- what an undo gives back -----------------------------------------------------------------

/** Fields of a document that post nothing. */
const silent = { Reference: "Changed", Url: "https://heron.example/changed" };

/** Changes fields that post nothing, undoes that, and finds every field as it was. */
export async function undoSilent(
  simulation: Simulation,
  client: Client,
  which: number,
  undoLast: (given: World) => Promise<string | undefined>,
): Promise<void> {
  const { faults, invoices, checker } = simulation;
  const read = async (id: string): Promise<Json> => {
    const headers = { accept: "application/json" };
    const path = `/Invoices/${id}`;
    const { status, body } = await checker.transport({ method: "GET", path, query: [], headers });
    return status === 200 ? JSON.parse(await textOf(body)).Invoices[0] : {};
  };
  const from = which % Math.max(1, invoices.length);
  let before: Json;
  for (const id of [...invoices.slice(from), ...invoices.slice(0, from)]) {
    before = await read(id);
    if (before.Status === "AUTHORISED" && before.Type === "ACCREC") break;
  }
  if (before?.Status !== "AUTHORISED" || before.Type !== "ACCREC") return;
  const id = before.InvoiceID;
  const given = await clientOf(simulation, client);
  const changed = await given.ask("POST", `/Invoices/${id}`, silent);
  if (changed.status !== 200 || (await undoLast(given)) === undefined) return;
  const after = await read(id);
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (name.startsWith("UpdatedDateUTC")) continue;
    const [was, is] = [before, after].map((each) => JSON.stringify(each[name]) ?? "nothing");
    if (was !== is) faults.push(`${name} of an invoice was ${was}, and is ${is} after an undo.`);
  }
}
