/**
 * What a test is given. The text of this file is also the type declaration of the package, so that it
 * imports nothing.
 */

/** Options of a server for tests. */
export interface StartOptions {
  /** Country of the organisation, such as `GB`; defaults to the country of the seed, or `NZ` without one. */
  readonly country?: string | undefined;
  /** `process` (default) serves within this process, `child` in one of its own. */
  readonly as?: "process" | "child" | undefined;
  /** A file of YAML or JSON with the records that the books begin with. */
  readonly seed?: string | undefined;
  /** A day or a moment with its offset, such as `2026-03-01T09:00+13:00`: time stands there until it is moved. */
  readonly clock?: string | undefined;
  /** Makes ids follow from this number, so that equal requests get equal answers. */
  readonly ids?: number | undefined;
  /** Rate limits of apps: true for the usual, or `minute=60,day=5000`; none if omitted. */
  readonly limits?: boolean | string | undefined;
}

/** Options of `acctTest` of `acct-books/vitest`. */
export interface AcctTestOptions extends StartOptions {
  /** Whether the books are checked after each test; true if omitted. */
  readonly verify?: boolean | undefined;
}

export interface Acct extends TestOrganisation {
  /** Address of the server, without a path. */
  readonly origin: string;
  /** Issuer of tokens, which clients of OpenID Connect begin with. */
  readonly issuer: string;
  /** Address of a page with the requests and what they posted, for a browser. */
  readonly page: string;
  /** Key with which all deliveries to webhooks are signed. */
  readonly webhookKey: string;
  readonly clock: TestClock;
  readonly inbox: Inbox;
  /** Keeps the state of books, people, mail and clock under a name. @returns milliseconds it took */
  save(name: string): Promise<number>;
  /** Returns to a state that was kept; `start` is the one after the seed. @returns milliseconds it took */
  restore(name?: string): Promise<number>;
  /** Makes requests of the API fail that are yet to come. */
  fail(fault: PlannedFault): Promise<ActiveFault>;
  /** The requests of the API since the last `restore`, oldest first: at most 1,000, or 64 MiB. */
  requests(filter?: RequestFilter): Promise<readonly RequestRecord[]>;
  /** Adds an organisation to the server. */
  organisation(name: string, options?: NewOrganisation): Promise<TestOrganisation>;
  /** Ends the server and removes its folder. @throws Error naming faults that no request met */
  stop(options?: { readonly unused?: "error" | undefined }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type NewOrganisation = Pick<StartOptions, "country" | "seed">;

export interface TestOrganisation {
  /** Base URL of the API. */
  readonly url: string;
  /** OrganisationID, for the header `xero-tenant-id`. */
  readonly tenant: string;
  /** The app of the test, a machine that works for this organisation. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly ledger: TestLedger;
  /** Subscribes to events, which a receiver of the test takes. */
  webhook(options?: WebhookOptions): Promise<TestWebhook>;
  /** Issues an access token for half an hour: of the app, or of a person of a role. */
  token(options?: TokenOptions): Promise<string>;
  /** Adds a person to the organisation. @returns the person, with the password to sign in with */
  person(options: NewPerson): Promise<Required<NewPerson>>;
  /** Registers a further OAuth client, in addition to the one of the test. */
  app(options?: NewTestApp): Promise<TestApp>;
  /** Signs a person in to an app, and allows it what it asks for, as in a browser. */
  signIn(options: SignInOptions): Promise<SignedIn>;
}

export interface NewPerson {
  readonly email: string;
  readonly name?: string | undefined;
  /** As of `token`. */
  readonly role?: string | undefined;
  readonly password?: string | undefined;
}

export interface NewTestApp {
  readonly name?: string | undefined;
  /** `web` (default), `pkce` (without a secret), `machine` or `agent`. */
  readonly kind?: string | undefined;
  /** Where people are led back to; `http://localhost/callback` by default, of `web` and `pkce`. */
  readonly redirectUri?: string | undefined;
}

export interface TestApp {
  readonly clientId: string;
  /** Empty where the app has none. */
  readonly clientSecret: string;
}

export interface SignInOptions {
  /** Address of a person of `person` or of the seed. */
  readonly email: string;
  /** Scopes that an app of the test asks for; those of OpenID Connect and the broad ones by default. */
  readonly scopes?: readonly string[] | undefined;
  /** Where an app of yours sends the browser; an app of the test signs in if omitted. */
  readonly address?: string | undefined;
}

export interface SignedIn {
  /** Where the browser is led back to. */
  readonly url: string;
  readonly code: string;
  /** The app of the test, and its tokens for the code; undefined with `address`. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly tokens?: {
    readonly access_token: string;
    readonly refresh_token?: string;
    readonly id_token?: string;
    readonly token_type: string;
    readonly expires_in: number;
    readonly scope: string;
  };
}

export interface TokenOptions {
  /** `adviser` (default), `standard`, `standard-without-reports`, `invoice-only` or `read-only`. */
  readonly role?: string | undefined;
  /** Scopes such as `accounting.invoices`; the broad ones by default. */
  readonly scopes?: readonly string[] | undefined;
}

export interface Duration {
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
  readonly seconds?: number | undefined;
}

export interface TestClock {
  /** Now, as an ISO moment. */
  now(): Promise<string>;
  /** Moves time on, and does all that falls due meanwhile before it returns. */
  advance(by: Duration): Promise<string>;
  /** Moves time to a moment, or to noon of a day where the first organisation is. */
  set(to: string): Promise<string>;
}

export interface TestLedger {
  /** Checks the whole book. @returns its faults, none where all adds up */
  verify(): Promise<readonly string[]>;
  /** Balance of an account by its code, debit positive, as a decimal; at the end of `date`. */
  balance(code: string, date?: string): Promise<string>;
  /** Journals above a number, oldest first, as the API answers them. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads journals as its own program would.
  journals(filter?: { readonly since?: number | undefined }): Promise<readonly any[]>;
}

export interface Inbox {
  /** All mail that was sent, oldest first. */
  all(filter?: { readonly to?: string | undefined }): Promise<readonly Mail[]>;
  /** The next mail that was not taken yet. @throws Error after the wait, saying what came instead */
  next(filter?: { readonly to?: string | undefined }, waitMs?: number): Promise<Mail>;
}

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly attachments: readonly { readonly name: string; readonly base64: string }[];
}

export interface RequestFilter {
  readonly method?: string | undefined;
  /** Path of the requests, or of their route, such as `/Invoices/{InvoiceID}`. */
  readonly path?: string | undefined;
  /** Number of the request after which they begin. */
  readonly since?: number | undefined;
}

export interface RequestRecord {
  readonly number: number;
  /** Time of the request, as an ISO moment. */
  readonly at: string;
  readonly app: string | undefined;
  readonly person: string | undefined;
  readonly tenant: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly route: string | undefined;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Headers without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly status: number;
  readonly answer: string | undefined;
  readonly ms: number;
  /** Why the request was refused; empty where it was not. */
  readonly why: readonly RefusalReason[];
  /** Ids of the records that it created or changed. */
  readonly ids: readonly string[];
  /** Numbers of the journals that it posted. */
  readonly journals: readonly number[];
}

export interface RefusalReason {
  /** The rule, as `acct explain rule` takes it. */
  readonly rule: string | undefined;
  readonly field: string | undefined;
  readonly message: string;
}

export interface PlannedFault extends RequestFilter {
  /** A kind of `acct serve --chaos`, such as `500-after`. */
  readonly kind: string;
  /** Milliseconds of a `delay`; 1000 by default. */
  readonly ms?: number | undefined;
  /** The first of the matching requests that fails, from 1. */
  readonly nth?: number | undefined;
  /** How many fail from there on; 1 by default. */
  readonly times?: number | undefined;
  readonly tenant?: string | undefined;
}

export interface ActiveFault {
  readonly id: number;
  /** How many requests met it. */
  hits(): Promise<number>;
  remove(): Promise<void>;
}

export interface WebhookOptions {
  /** Categories of events, such as `INVOICE` (default), in any letter case. */
  readonly events?: readonly string[] | undefined;
  /** Address of the app under test, which answers for itself; a receiver of the test if omitted. */
  readonly url?: string | undefined;
}

/** A subscription; with a `url` of its own, the events are the app's, and `next` and `answer` are refused. */
export interface TestWebhook {
  readonly url: string;
  /** Key with which deliveries are signed. */
  readonly key: string;
  /** The next event that was not taken yet. @throws Error after the wait, saying what came instead */
  next(
    filter?: { readonly eventType?: string | undefined; readonly resourceId?: string | undefined },
    waitMs?: number,
  ): Promise<WebhookEvent>;
  /** Answers deliveries with this status from now on; they are taken by 200 alone. */
  answer(status: number): Promise<void>;
}

export interface WebhookEvent {
  readonly resourceUrl: string;
  readonly resourceId: string;
  readonly tenantId: string;
  readonly eventCategory: string;
  readonly eventType: string;
  readonly eventDateUtc: string;
}
