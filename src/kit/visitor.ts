/** A person who signs in to an app and allows it what it asks for, without a browser. */
import type { IncomingMessage } from "node:http";
import { UnavailableError, UsageError } from "../resources/errors.ts";
import { collect } from "../wire/body.ts";

/** A server by the address that it tells, and the one at which it answers on this machine. */
export interface ServerAddresses {
  readonly issuer: string;
  readonly origin: string;
}

interface Visited {
  readonly status: number;
  /** Address of the page, or that outside the server to which it led. */
  readonly address: string;
  readonly body: string;
}

const pageBytesMax = 1024 * 1024;

/** Keeps cookies and follows the pages of a server until they end, or lead to an app. */
export class Visitor {
  readonly #at: ServerAddresses;
  readonly #cookies = new Map<string, string>();

  constructor(at: ServerAddresses) {
    this.#at = at;
  }

  /**
   * @param form  what is sent to the address; it is read if undefined
   * @throws UsageError `BadValue` for an address of another server, which is to see no password
   */
  async open(address: string, form?: URLSearchParams, more: object = {}): Promise<Visited> {
    if (!this.#isOfServer(address)) {
      const message = `A sign-in begins at an address below ${this.#at.issuer}/, not at ${address}.`;
      throw new UsageError("BadValue", message);
    }
    const { status, location, body } = await this.#send(address, form, more);
    if (location === undefined) return { status, address, body };
    const next = new URL(location, address).href;
    return this.#isOfServer(next) ? this.open(next) : { status, address: next, body };
  }

  #isOfServer(address: string): boolean {
    return address.startsWith(`${this.#at.issuer}/`);
  }

  async #send(address: string, form: URLSearchParams | undefined, more: object) {
    const { issuer, origin } = this.#at;
    const url = new URL(address.replace(issuer, origin));
    const { request } = process.getBuiltinModule(
      `node:${url.protocol === "https:" ? "https" : "http"}`,
    );
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const type = "application/x-www-form-urlencoded";
    const headers = { accept: "text/html", cookie, host: new URL(issuer).host, ...more };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      // The certificate is that of this very process.
      const options = { method: form ? "POST" : "GET", rejectUnauthorized: false };
      request(url, { ...options, headers: { ...headers, ...(form && { "content-type": type }) } })
        .on("response", resolve)
        .on("error", reject)
        .end(form && String(form));
    });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const body = Buffer.from(await collect(answer, pageBytesMax)).toString();
    return { status: answer.statusCode ?? 0, location: answer.headers.location, body };
  }

  /**
   * Signs in at the address of an app, and allows it what it asks for in an organisation.
   *
   * @returns the address of the app to which this leads, with the code
   * @throws UnavailableError `NotSignedIn` with what the page says
   */
  async signIn(address: string, person: SignInWords, tenant: string): Promise<URL> {
    const asked = await this.open(address);
    const consent = await this.#submit(asked, { ...person });
    const { address: end, body } = await this.#submit(consent, { choice: "allow", tenant });
    const url = new URL(end);
    if (url.searchParams.has("code")) return url;
    const said = /role="alert".*?<a[^>]*>([^<]+)/s.exec(consent.body) ?? /<p>([^<]+)/.exec(body);
    const why = url.searchParams.get("error_description") ?? said?.[1] ?? end;
    throw new UnavailableError("NotSignedIn", `${person.email} is not signed in: ${why}`);
  }

  #submit({ address, body }: Visited, typed: Readonly<Record<string, string>>): Promise<Visited> {
    const [, proof] = /name="proof" value="([^"]*)"/.exec(body) ?? [];
    if (proof === undefined) return Promise.resolve({ status: 0, address, body });
    return this.open(address, new URLSearchParams({ proof, ...typed }));
  }
}

interface SignInWords {
  readonly email: string;
  readonly password: string;
}
