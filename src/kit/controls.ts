/** What a test may ask of its server, as its control routes are described to programs and people. */
import { kinds } from "../service/fault-injection/plan.ts";
import { apiScopes, organisationRoles } from "../service/request/scopes.ts";
import { appKinds } from "../store/directory/apps.ts";
import { type Inputs, manyOf, object, oneOf, text, texts, whole } from "./inputs.ts";

interface TestControl {
  readonly does: string;
  /** Properties of its body, or of the query of a GET. */
  readonly takes?: Inputs;
  /** Names of the properties that it cannot do without. */
  readonly needs?: readonly string[];
  readonly answers: string;
}

const name = { name: text };
const tenant = { tenant: text };
const route = { method: text, path: text };
const role = oneOf(Object.keys(organisationRoles));
const count = whole(1);

/** The controls by method and path below `/_test`; `{id}` stands for any segment. */
export const controls = {
  "POST /save": { does: "keeps the state", takes: name, needs: ["name"], answers: "`ms`" },
  "POST /restore": { does: "goes back to a state", takes: name, answers: "`ms`" },
  "GET /clock": { does: "tells the time", answers: "`now`" },
  "POST /clock": {
    does: "moves the time by `days`, `hours`, `minutes` and `seconds`, or to a day or moment",
    takes: { advance: object, set: text },
    answers: "`now`, and when something fell due: `ran`",
  },
  "POST /fail": {
    does: "plans a fault",
    takes: { ...route, ...tenant, kind: oneOf(kinds), ms: count, nth: count, times: count },
    needs: ["kind"],
    answers: "`id`, `hits`",
  },
  "GET /fail": { does: "lists the planned faults", answers: "faults" },
  "GET /fail/{id}": { does: "tells of a fault", answers: "a fault" },
  "DELETE /fail/{id}": { does: "removes a fault", answers: "nothing" },
  "GET /requests": {
    does: "lists the requests of the API",
    takes: { ...route, since: whole(0) },
    answers: "requests",
  },
  "GET /inbox": {
    does: "lists the mail; with `wait`, the next within so many milliseconds",
    takes: { to: text, wait: whole(0) },
    answers: "mail",
  },
  "GET /ledger/verify": { does: "checks the whole book", takes: tenant, answers: "faults" },
  "GET /ledger/balances": {
    does: "tells the balances of accounts",
    takes: { ...tenant, date: text },
    answers: "balances by code",
  },
  "GET /ledger/journals": {
    does: "lists journals above a number",
    takes: { ...tenant, since: whole(0) },
    answers: "journals",
  },
  "POST /webhooks": {
    does: "subscribes a receiver of the test, or the app's own at `url`",
    takes: { ...tenant, events: texts, url: text },
    answers: "`id`, `url`, `key`",
  },
  "POST /webhooks/{id}": {
    does: "sets how it answers",
    takes: { status: whole(200, 599) },
    needs: ["status"],
    answers: "nothing",
  },
  "GET /webhooks/{id}/next": {
    does: "waits for an event",
    takes: { wait: whole(0), eventType: text, resourceId: text },
    answers: "an event",
  },
  "POST /organisations": {
    does: "adds an organisation",
    takes: { ...name, country: text, seed: text },
    needs: ["name"],
    answers: "`url`, `tenant`, `clientId`, `clientSecret`",
  },
  "POST /people": {
    does: "adds a person",
    takes: { ...tenant, ...name, email: text, role, password: text },
    needs: ["email"],
    answers: "`email`, `role`, `password`",
  },
  "POST /apps": {
    does: "registers an app",
    takes: { ...tenant, ...name, kind: oneOf(appKinds), redirectUri: text },
    answers: "`clientId`, `clientSecret`",
  },
  "POST /tokens": {
    does: "issues a token of the app, or of a person of a role",
    takes: { ...tenant, role, scopes: manyOf(apiScopes) },
    answers: "`token`",
  },
  "POST /sign-in": {
    does: "signs a person in, who allows what an app asks for at `address`, or an app of the test",
    takes: { ...tenant, email: text, scopes: texts, address: text },
    needs: ["email"],
    answers: "`url`, `code`; of an app of the test `clientId`, `clientSecret`, `tokens`",
  },
} as const satisfies Readonly<Record<string, TestControl>>;

export type ControlName = keyof typeof controls;

/** What a control takes and needs. */
export const inputOf = (control: ControlName): Required<Pick<TestControl, "takes" | "needs">> => ({
  takes: {},
  needs: [],
  ...controls[control],
});

/** The controls as a document of OpenAPI 3.1. */
export function controlSchema(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [control, { does, answers }] of Object.entries<TestControl>(controls)) {
    const { takes, needs: required } = inputOf(control as ControlName);
    const properties = Object.fromEntries(
      Object.entries(takes).map(([name, { schema }]) => [name, schema]),
    );
    const [method = "", path = ""] = control.split(" ");
    const inPath = path.includes("{id}")
      ? [{ name: "id", in: "path", required: true, schema: text.schema }]
      : [];
    const inQuery = Object.entries(properties).map(([name, schema]) => {
      return { name, in: "query", schema };
    });
    const schema = { type: "object", properties, required, additionalProperties: false };
    const input =
      method === "POST"
        ? { parameters: inPath, requestBody: { content: { "application/json": { schema } } } }
        : { parameters: [...inPath, ...inQuery] };
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        summary: does,
        ...input,
        responses: {
          200: { description: answers.replaceAll("`", ""), content: { "application/json": {} } },
        },
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Control routes of a server for tests", version: "1" },
    security: [{ controlKey: [] }],
    paths,
    components: {
      securitySchemes: { controlKey: { type: "apiKey", in: "header", name: "x-acct-test" } },
    },
  };
}
