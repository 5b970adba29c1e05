/**
 * What a test may ask of its server, by method and path below `/_test`, with JSON in and out: within
 * the process it is called, from another it is sent. `{id}` stands for any segment.
 */
import { NotFoundError, UsageError } from "../resources/errors.ts";
import { verifyBook } from "../service/books/book.ts";
import { decodeError } from "../wire/decode/failure.ts";
import { type ControlName, inputOf } from "./controls.ts";
import type {
  NewPerson,
  PlannedFault,
  RequestFilter,
  SignInOptions,
  StartOptions,
} from "./face.ts";
import { mailsTo } from "./inbox.ts";
import { readInputs } from "./inputs.ts";
import { checkRoute } from "./planned-faults.ts";
import type { KnownOrganisation, TestServer } from "./test-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: the input is JSON that was checked against `controls`.
export type TestInput = Readonly<Record<string, any>>;
export type Operation = (input: TestInput) => Promise<unknown>;
export type Operations = Readonly<Record<ControlName, Operation>>;

const journalsMax = 100;

/** @param firstOrganisation  the organisation of requests that name none */
export function operationsOf(server: TestServer, firstOrganisation: KnownOrganisation): Operations {
  const { people } = server;
  const organisations = new Map([[firstOrganisation.tenant, firstOrganisation]]);
  const meant = ({ tenant = firstOrganisation.tenant }: TestInput): KnownOrganisation => {
    const knownOne = organisations.get(tenant);
    if (knownOne !== undefined) return knownOne;
    throw new NotFoundError("NotFound", `There is no organisation ${tenant}.`);
  };
  const moment = (ms = server.now()) => new Date(ms).toISOString();
  const faultOf = ({ id, hits, kind, method, path }: ReturnType<typeof server.faults.find>) => {
    return { id, hits, kind, method, path };
  };
  return {
    "POST /save": async ({ name }) => ({ ms: await server.save(name) }),
    "POST /restore": async ({ name = "start" }) => ({ ms: await server.restore(name) }),
    "GET /clock": async () => ({ now: moment() }),
    "POST /clock": async ({ advance, set }) => {
      if ((advance === undefined) === (set === undefined)) {
        throw new UsageError("BadValue", "POST /clock takes either advance or set.");
      }
      const ran = await server.moveClock(set ?? advance);
      return { now: moment(), ran: ran.map(moment) };
    },
    "POST /fail": async (fault) => {
      meant(fault);
      return faultOf(server.faults.add(fault as PlannedFault));
    },
    "GET /fail": async () => server.faults.all.map(faultOf),
    "GET /fail/{id}": async ({ id }) => faultOf(server.faults.find(Number(id))),
    "DELETE /fail/{id}": async ({ id }) => server.faults.remove(Number(id)),
    "GET /requests": async (filter: RequestFilter) => {
      const listed = server.recorder.list(filter);
      // No route has the path that nothing was asked at: it is a slip of the test.
      if (listed.length === 0) checkRoute(filter);
      return listed;
    },
    "GET /inbox": async ({ to, wait }) =>
      wait === undefined
        ? server.inbox.all.filter(mailsTo(to))
        : server.inbox.next(mailsTo(to), wait),
    "GET /ledger/verify": async (input) =>
      server.use(meant(input).tenant, async (book) => (await verifyBook(book)).faults),
    "GET /ledger/balances": async ({ date, ...input }) =>
      balancesOf(readingOf(server, meant(input).tenant), date),
    "GET /ledger/journals": ({ since = 0, ...input }) =>
      journalsAfter(readingOf(server, meant(input).tenant), since),
    "POST /webhooks": ({ tenant, ...options }) =>
      server.addWebhook(meant({ tenant }).tenant, options),
    "POST /webhooks/{id}": async ({ id, status }) => {
      server.receiver(id).status = status;
    },
    "GET /webhooks/{id}/next": ({ id, wait = 0, eventType, resourceId }) =>
      server
        .receiver(id)
        .events.next(
          (event) =>
            (eventType ?? event.eventType) === event.eventType &&
            (resourceId ?? event.resourceId) === event.resourceId,
          wait,
        ),
    "POST /organisations": async ({ name, ...options }) => {
      const newOrganisation = await server.addOrganisation(name, options as StartOptions);
      organisations.set(newOrganisation.tenant, newOrganisation);
      return newOrganisation;
    },
    "POST /people": ({ tenant, ...person }) =>
      server.use(meant({ tenant }).tenant, (book) => people.add(book, person as NewPerson)),
    "POST /apps": ({ tenant, ...app }) =>
      server.use(meant({ tenant }).tenant, (book) => people.addApp(book, app)),
    "POST /sign-in": ({ tenant, ...options }) =>
      people.signIn(meant({ tenant }).tenant, options as SignInOptions),
    "POST /tokens": async ({ tenant, ...options }) => ({
      token: await people.issueToken(meant({ tenant }), options),
    }),
  };
}

/**
 * Calls an operation by its method and path.
 *
 * @throws NotFoundError for an unknown one; UsageError `BadValue` for input that it does not take
 */
export async function callOperation(
  all: Partial<Operations>,
  asked: string,
  input: object,
  // biome-ignore lint/suspicious/noExplicitAny: the answer of an operation, whose shape the caller knows.
): Promise<any> {
  for (const [name, operation] of Object.entries(all) as [ControlName, Operation][]) {
    const match = new RegExp(`^${name.replace("{id}", "(?<id>[^/]+)")}$`).exec(asked);
    if (match === null) continue;
    const inputs = readInputs(name, inputOf(name), input, name.startsWith("GET"));
    return operation({ ...inputs, ...match.groups });
  }
  const operationNames = Object.keys(all).join(", ");
  throw new NotFoundError("NotFound", `A server for tests knows ${operationNames}, not ${asked}.`);
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a stranger's program would.
type Read = (path: string, query?: Readonly<Record<string, string>>) => Promise<any>;

/** Reads by the API, in the name of the server itself. */
function readingOf(server: TestServer, tenant: string): Read {
  return (path, query = {}) =>
    server.use(tenant, async ({ ownTransport }) => {
      const headers = { accept: "application/json" };
      const request = { method: "GET", path, query: Object.entries(query), headers };
      const { status, headers: answerHeaders, body } = await ownTransport(request);
      if (status !== 200) throw await decodeError(status, answerHeaders, String(body));
      return JSON.parse(String(body));
    });
}

async function journalsAfter(read: Read, since: number): Promise<readonly unknown[]> {
  // biome-ignore lint/suspicious/noExplicitAny: journals as the API answers them.
  const allJournals: any[] = [];
  for (let offset = since, countRead = journalsMax; countRead === journalsMax; ) {
    const { Journals } = await read("/Journals", { offset: String(offset) });
    countRead = Journals.length;
    offset = Journals.at(-1)?.JournalNumber ?? offset;
    allJournals.push(...Journals);
  }
  return allJournals;
}

/** Balances of the trial balance by the codes of accounts, debit positive, as decimals. */
async function balancesOf(read: Read, date: string | undefined): Promise<Record<string, string>> {
  const { Accounts } = await read("/Accounts");
  const { Reports } = await read("/Reports/TrialBalance", date === undefined ? {} : { date });
  const codes = new Map<string, string>();
  for (const { AccountID, Code } of Accounts) codes.set(AccountID, Code);
  const balances = Object.fromEntries([...codes.values()].map((code) => [code, "0.00"]));
  for (const { Rows = [] } of Reports[0].Rows) {
    for (const { Cells } of Rows) {
      const id = Cells[0].Attributes?.[0]?.Value;
      const code = codes.get(id);
      if (code === undefined) continue;
      const [debit, credit] = [Cells[3].Value, Cells[4].Value];
      balances[code] = debit || (credit ? `-${credit}` : "0.00");
    }
  }
  return balances;
}
