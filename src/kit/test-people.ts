/** The people of a test and their apps: how they are made, get tokens and sign in. */
import { NotFoundError } from "../resources/errors.ts";
import { type AppKind, issueToken, registerApp, registryIn } from "../service/auth/apps.ts";
import { authorisePath, tokenPath } from "../service/auth/paths.ts";
import type { Role } from "../service/auth/people.ts";
import { newSecret } from "../service/auth/secrets.ts";
import { type Book, operatorOf } from "../service/books/book.ts";
import { allScopes, identityScopes, organisationRoles } from "../service/request/scopes.ts";
import type {
  NewPerson,
  NewTestApp,
  SignedIn,
  SignInOptions,
  TestApp,
  TokenOptions,
} from "./face.ts";
import { plantPeople } from "./seed/plant-seed.ts";
import type { ServerAddresses } from "./visitor.ts";

/** The person who makes the books of a test. */
export const operator = { user: "Test", email: "test@localhost" };

/** What people of a test need of its server. */
interface PeopleHost {
  readonly connectionDetails: ServerAddresses;
  use<T>(tenant: string, action: (book: Book) => Promise<T>): Promise<T>;
}

const callback = "http://localhost/callback";

export class TestPeople {
  readonly #host: PeopleHost;
  readonly #newId: () => string;
  /** Passwords by addresses in lower case. */
  readonly #passwords = new Map<string, string>();

  /** @param newId  makes ids of apps */
  constructor(host: PeopleHost, newId: () => string) {
    this.#host = host;
    this.#newId = newId;
  }

  /** Issues an access token. */
  issueToken(
    { tenant, clientId }: TestApp & { readonly tenant: string },
    { role = "adviser", scopes }: TokenOptions,
  ): Promise<string> {
    const grant = organisationRoles[role as Role];
    return this.#host.use(tenant, async (book) => {
      const user = { ...operator, ...grant };
      const { token } = await issueToken(await registryOf(book), clientId, user, scopes);
      return token;
    });
  }

  /** Adds a person, with a password unless one is given. @throws UsageError, RefusedError */
  async add(book: Book, { role = "standard", ...words }: NewPerson): Promise<Required<NewPerson>> {
    const { password = newSecret() } = words;
    const person = { ...words, role: role as Role, password };
    const [{ email, name } = words] = await plantPeople(book, [person], operator);
    this.rememberPassword({ email, password });
    return { email, name: name ?? email, role, password };
  }

  /** Remembers with which password somebody signs in; without one, the password before stays. */
  rememberPassword({ email, password }: Readonly<Record<string, string>>): void {
    if (password !== undefined) this.#passwords.set(String(email).toLowerCase(), password);
  }

  /** Registers an app. @throws RefusedError */
  async addApp(book: Book, { name, kind = "web", redirectUri }: NewTestApp) {
    const id = this.#newId();
    const usual = kind === "web" || kind === "pkce" ? [callback] : [];
    const made = {
      name: name ?? `App ${id}`,
      kind: kind as AppKind,
      redirectUris: redirectUri === undefined ? usual : [redirectUri],
      withoutPkce: kind === "web",
    };
    const { secret = "" } = await registerApp(await registryOf(book), made, id);
    return { clientId: id, clientSecret: secret };
  }

  /** Signs a person in. @throws NotFoundError, UnavailableError `NotSignedIn` */
  async signIn(tenant: string, { email, scopes, address }: SignInOptions): Promise<SignedIn> {
    const password = this.#passwords.get(email?.toLowerCase());
    if (password === undefined) {
      throw new NotFoundError("NotFound", `No person of this test has the address ${email}.`);
    }
    const { Visitor } = await import("./visitor.ts");
    const { connectionDetails } = this.#host;
    const { issuer } = connectionDetails;
    const visitor = new Visitor(connectionDetails);
    const signedIn = async (from: string) => {
      const url = await visitor.signIn(from, { email, password }, tenant);
      return { url: url.href, code: url.searchParams.get("code") ?? "" };
    };
    if (address !== undefined) return signedIn(address);
    const app = await this.#host.use(tenant, (book) => this.addApp(book, {}));
    const scope = (scopes ?? [...identityScopes, ...allScopes]).join(" ");
    const asked = { client_id: app.clientId, redirect_uri: callback, response_type: "code", scope };
    const back = await signedIn(`${issuer}${authorisePath}?${new URLSearchParams(asked)}`);
    const grant = { grant_type: "authorization_code", redirect_uri: callback, code: back.code };
    const proof = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64");
    const authorization = `Basic ${proof}`;
    const form = new URLSearchParams(grant);
    const { body } = await visitor.open(`${issuer}${tokenPath}`, form, { authorization });
    return { ...back, ...app, tokens: JSON.parse(body) };
  }
}

/** The registry of apps of a book of a test. */
export async function registryOf(book: Book) {
  const { clock } = book.dependencies;
  return registryIn(await book.directory(), book.tenant, clock, operatorOf(operator));
}
