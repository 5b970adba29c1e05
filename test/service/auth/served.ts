/** A book on a port with people and apps, and a browser that follows its pages as a person would. */
import { onTestFinished } from "vitest";
import { serve } from "../../../src/admin/serve-book.ts";
import { type NewApp, registerApp, registryIn } from "../../../src/service/auth/apps.ts";
import { addMember, type Role, type Staff, staffIn } from "../../../src/service/auth/people.ts";
import { directoryIn } from "../../../src/store/directory/directory.ts";
import { addPerson, personWithEmail } from "../../../src/store/directory/people.ts";
import { acted, tester } from "../../support/audit.ts";
import { type World, world } from "../fixture.ts";
import { keepTestKey } from "./test-key.ts";

export interface Desk {
  readonly given: World;
  readonly origin: string;
  readonly staff: Staff;
  /** Registers an app; its secret is empty where it has none. */
  app(made: NewApp): Promise<{ readonly id: string; readonly secret: string }>;
  /** POST of a form to a path, answered with status, headers and what its JSON says. */
  post(
    path: string,
    form: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Posted>;
}

export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a stranger's program would.
  readonly json: any;
}

export const password = "correct horse battery";

/** Gives everybody the password `correct horse`, from a time when eight characters sufficed. */
export async function keepOldPasswords({ staff }: Desk): Promise<void> {
  const password_hash =
    "$scrypt$ln=15,r=8,p=3$BwcHBwcHBwcHBwcHBwcHBw$NCYQs2e0Syrh3/+2WdK11HeV2VgP+3yEQLxJrYGGOqQ";
  await staff.directory.write(async ({ db }) => {
    await db.updateTable("person").set({ password_hash }).execute();
  });
}

/**
 * @param more  what `serve` is told besides
 * @param place  whether its database holds this book alone, or may hold others
 */
export async function desk(
  more: Partial<Parameters<typeof serve>[1]> = {},
  place: "alone" | "shared" = "shared",
): Promise<Desk> {
  const given = await world("NZ", {}, place);
  const { book } = given;
  const clock = () => given.now;
  const directory = directoryIn(book.store);
  await keepTestKey(directory);
  const faults: unknown[] = [];
  const served = await serve(book.path, {
    host: "127.0.0.1",
    port: 0,
    rateLimit: false,
    clock,
    report: (error) => void faults.push(error),
    ...more,
  });
  onTestFinished(async () => {
    await served.close();
    if (faults.length > 0) throw faults[0];
  });
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  return {
    given,
    origin: served.origin,
    staff: staffIn(book.store, { org: book.org, OrganisationID: book.tenant }, clock, tester),
    async app(made) {
      const registry = registryIn(book.store, book.tenant, clock, tester);
      const { app, secret = "" } = await registerApp(registry, made, randomUUID());
      return { id: app.id, secret };
    },
    post: postTo(served.origin),
  };
}

/** Sends forms to a server. */
export function postTo(origin: string): Desk["post"] {
  return async (path, form, headers = {}) => {
    const body = new URLSearchParams(form);
    const answer = await fetch(`${origin}${path}`, { method: "POST", body, headers });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get("content-type") ?? "");
    const { status } = answer;
    return { status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
}

/** The password in the form in which it is kept, at a cost for tests, which are about other things. */
const kept = () => {
  const { scryptSync } = process.getBuiltinModule("node:crypto");
  const inText = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  const salt = Buffer.from("the salt of tests");
  const hash = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 });
  return `$scrypt$ln=4,r=8,p=1$${inText(salt)}$${inText(hash)}`;
};

/** Somebody who works for the organisation, and was known to the server before. */
export async function employ({ staff }: Desk, email = "ana@heron.example", role: Role = "adviser") {
  const person = { id: staff.newId(), email, name: "Ana Reid" };
  await staff.directory.write(async (tx) => {
    const known = await personWithEmail(tx, email);
    if (known === undefined) await addPerson(acted(tx), person, kept(), staff.clock());
  });
  return addMember(staff, { email, role });
}

/** What a page shows, and how it was answered. */
export interface Shown {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly html: string;
}

/** Keeps cookies, follows redirects within the service, and stops at the app's own address. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  cookies(): string[] {
    return [...this.#cookies].map(([name, { value }]) => `${name}=${value}`);
  }

  /** @returns the page at the end; or the address that the browser is sent to, with status 303 */
  async open(url: string, init: RequestInit = {}): Promise<Shown> {
    let at = url;
    let request = init;
    for (;;) {
      const { pathname } = new URL(at);
      const cookie = [...this.#cookies]
        .filter(([, { path }]) => pathname.startsWith(path))
        .map(([name, { value }]) => `${name}=${value}`)
        .join("; ");
      const headers = { accept: "text/html", ...(cookie && { cookie }), ...request.headers };
      const answer = await fetch(at, { ...request, headers, redirect: "manual" });
      for (const line of answer.headers.getSetCookie()) this.#keep(line);
      const html = await answer.text();
      const location = answer.headers.get("location");
      if (location === null)
        return { status: answer.status, url: at, headers: answer.headers, html };
      at = new URL(location, at).href;
      if (!at.startsWith(`${this.#origin}/`)) {
        return { status: answer.status, url: at, headers: answer.headers, html };
      }
      request = {};
    }
  }

  /** Sends the form of a page as it stands, with what was typed and pressed. */
  submit(
    page: Shown,
    typed: readonly (readonly [string, string])[],
    more: Record<string, string> = {},
  ): Promise<Shown> {
    const proof = /name="proof" value="([^"]*)"/.exec(page.html)?.[1] ?? "";
    const body = new URLSearchParams({ proof });
    for (const [name, value] of typed) body.append(name, value);
    const headers = { origin: this.#origin, ...more };
    return this.open(page.url, { method: "POST", body, headers });
  }

  signIn(page: Shown, email = "ana@heron.example", secret = password): Promise<Shown> {
    return this.submit(page, [
      ["email", email],
      ["password", secret],
    ]);
  }

  /** Allows what a page asks for, in the organisations that are named there. */
  allow(page: Shown, tenants = tenantsOn(page)): Promise<Shown> {
    const chosen = tenants.map((tenant) => ["tenant", tenant] as const);
    return this.submit(page, [["choice", "allow"], ...chosen]);
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const name = pair.slice(0, pair.indexOf("="));
    const path = attributes.find((each) => each.startsWith("path="))?.slice(5) ?? "/";
    const isGone = attributes.some((each) => /^expires=Thu, 01 Jan 1970/i.test(each));
    if (isGone) this.#cookies.delete(name);
    else this.#cookies.set(name, { value: pair.slice(name.length + 1), path });
  }
}

/** The organisations that a page lets one choose. */
export function tenantsOn({ html }: Shown): string[] {
  return [...html.matchAll(/name="tenant" value="([^"]*)"/g)].map(([, tenant = ""]) => tenant);
}

/** The address at which an app sends people to sign in. */
/** What apps prove by that it is they who asked, and what they announce of it. */
export const verifier = "blue-kiln-pottery.verifier_0123456789~ABCDEFGHIJ";
export const challenge = "rdKTMD0Wjf89GA66r7GAJhY8LV7uYqO223XYp7GxtK4";
/** Of an app that announces nothing. */
export const unproven = { code_challenge: undefined, code_challenge_method: undefined };

export function authoriseUrl(
  { origin }: Desk,
  parameters: Record<string, string | undefined>,
): string {
  const url = new URL(`${origin}/identity/connect/authorize`);
  const usual = {
    response_type: "code",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries({ ...usual, ...parameters })) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
