/** Starts a server for tests: `import { startAcct } from "acct-books/test"`. */
import { NotFoundError } from "../resources/errors.ts";
import type { ChildServer } from "./child.ts";
import { pageAddress } from "./control.ts";
import { startControlled } from "./controlled.ts";
import type { Acct, StartOptions, TestOrganisation } from "./face.ts";
import { limitsInput, oneOf, readInputs, text, whole } from "./inputs.ts";
import { callOperation } from "./test-operations.ts";
import type { KnownOrganisation } from "./test-server.ts";

/** Calls an operation of the server of a test: `POST /save` with `{ name }`. */
type AskTestServer = ChildServer["ask"];

const startInputs = {
  country: text,
  as: oneOf(["process", "child"]),
  seed: text,
  clock: text,
  ids: whole(0, Number.MAX_SAFE_INTEGER),
  limits: limitsInput,
} satisfies Record<keyof StartOptions, unknown>;

/**
 * Starts a server on a free port of this machine, in this process or one of its own.
 *
 * @throws UsageError for options that do not exist; RefusedError for a seed that the service refuses
 */
export async function startAcct(options: StartOptions = {}): Promise<Acct> {
  readInputs("startAcct", { takes: startInputs }, options);
  if (options.as === "child") {
    const { startChild } = await import("./child.ts");
    const { ready, ask, close } = await startChild(options);
    const { url, tenant, clientId, clientSecret, ...details } = ready;
    return faceOf({ url, tenant, clientId, clientSecret }, details, ask, close);
  }
  const { server, firstOrganisation, operations, controlKey } = await startControlled(options);
  const ask: AskTestServer = (operation, input = {}) => callOperation(operations, operation, input);
  const { connectionDetails } = server;
  const details = { ...connectionDetails, page: pageAddress(connectionDetails.origin, controlKey) };
  return faceOf(firstOrganisation, details, ask, () => server.close());
}

const usualWaitMs = 1000;

/** @param endServer  ends the server */
function faceOf(
  firstOrganisation: KnownOrganisation,
  { origin, issuer, webhookKey, page }: Pick<Acct, "origin" | "issuer" | "webhookKey" | "page">,
  ask: AskTestServer,
  endServer: () => Promise<void>,
): Acct {
  const stop: Acct["stop"] = async ({ unused } = {}) => {
    const faults: { kind: string; path?: string; hits: number }[] =
      unused === "error" ? await ask("GET /fail") : [];
    await endServer();
    const idle = faults.filter(({ hits }) => hits === 0);
    if (idle.length === 0) return;
    const faultNames = idle.map(({ kind, path = "any path" }) => `${kind} at ${path}`).join(", ");
    throw new Error(`No request met the planned faults: ${faultNames}.`);
  };
  return {
    ...organisationOf(firstOrganisation, ask),
    origin,
    issuer,
    webhookKey,
    page,
    clock: {
      now: async () => (await ask("GET /clock")).now,
      advance: async (advance) => (await ask("POST /clock", { advance })).now,
      set: async (set) => (await ask("POST /clock", { set })).now,
    },
    inbox: {
      all: (filter) => ask("GET /inbox", filter),
      next: (filter, wait = usualWaitMs) => ask("GET /inbox", { ...filter, wait }),
    },
    save: async (name) => (await ask("POST /save", { name })).ms,
    restore: async (name) => (await ask("POST /restore", { name })).ms,
    fail: async (fault) => {
      const { id } = await ask("POST /fail", fault);
      return {
        id,
        hits: async () => (await ask(`GET /fail/${id}`)).hits,
        remove: () => ask(`DELETE /fail/${id}`),
      };
    },
    requests: (filter) => ask("GET /requests", filter),
    organisation: async (name, options) =>
      organisationOf(await ask("POST /organisations", { name, ...options }), ask),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function organisationOf(organisation: KnownOrganisation, ask: AskTestServer): TestOrganisation {
  const { tenant } = organisation;
  return {
    ...organisation,
    token: async (options) => (await ask("POST /tokens", { ...options, tenant })).token,
    person: (options) => ask("POST /people", { ...options, tenant }),
    app: (options) => ask("POST /apps", { ...options, tenant }),
    signIn: (options) => ask("POST /sign-in", { ...options, tenant }),
    webhook: async (options) => {
      const { id, url, key } = await ask("POST /webhooks", { ...options, tenant });
      return {
        url,
        key,
        next: (filter, wait = usualWaitMs) => ask(`GET /webhooks/${id}/next`, { ...filter, wait }),
        answer: (status) => ask(`POST /webhooks/${id}`, { status }),
      };
    },
    ledger: {
      verify: () => ask("GET /ledger/verify", { tenant }),
      balance: async (code, date) => {
        const balances = await ask("GET /ledger/balances", { tenant, date });
        if (Object.hasOwn(balances, code)) return balances[code];
        const known = Object.keys(balances).join(", ");
        throw new NotFoundError("NotFound", `No account has the code ${code}; there are ${known}.`);
      },
      journals: (filter) => ask("GET /ledger/journals", { ...filter, tenant }),
    },
  };
}
