/**
 * A service that signs people in, in small, and fails when it is told to.
 *
 * It agrees to everything at once, turns refresh tokens over at every use, and counts. A refresh
 * token that was used counts for `graceMs` more, for those who never got the answer.
 */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What is done instead of answering a request for tokens, or before it. */
export type Fault =
  /** The tokens are turned over, and the connection is cut instead of an answer. */
  | "cut"
  | "500"
  | "503"
  | "invalid_grant"
  | "invalid_client"
  /** Does something first: delays, or ends a process. */
  | ((answer: ServerResponse) => Promise<void>);

export interface Asked {
  readonly grant: string;
  readonly refreshToken: string | null;
  readonly authorization: string | undefined;
}

interface Grant {
  readonly family: string;
  usedAt?: number;
}

export class Authority {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #codes = new Map<string, URLSearchParams>();
  readonly #refreshTokens = new Map<string, Grant>();
  readonly #revoked = new Set<string>();
  /** Access tokens with the moment at which they end. */
  readonly accessTokens = new Map<string, number>();
  /** Every request for tokens. */
  readonly asked: Asked[] = [];
  /** Tokens that were given for a refresh token, also those that were cut off. */
  renewals = 0;
  revocations = 0;
  /** Requests of the API, with the organisation that they were for. */
  readonly calls: { readonly path: string; readonly tenant: string | undefined }[] = [];
  /** For the next requests for tokens, in order. */
  readonly faults: Fault[] = [];
  graceMs = 30 * 60_000;
  expiresInS = 1800;
  /** Whether the person agrees. */
  agrees = true;
  /** Put to every access token, which are longer elsewhere. */
  ending = "";
  /** What else stands in an answer with tokens. */
  extra: Readonly<Record<string, unknown>> = {};
  /** Done before organisations are listed. */
  beforeListing: () => Promise<void> = async () => undefined;
  /** What else the discovery document says. */
  more: Readonly<Record<string, unknown>> = {};
  organisations = [
    { id: "9e0b64a8-2e7a-4f0a-8f6d-3b8e4d1b5c02", name: "Quay Street Bikes" },
    { id: "0b5c1d52-6c5e-4a7b-9a55-0d6f1c2e3a44", name: "Harbour Cafe" },
  ];
  port = 0;

  async listen(): Promise<this> {
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }

  /** The refresh token of a new sign-in. */
  family(): string {
    return this.#pair(randomUUID()).refresh_token;
  }

  /** How many refresh tokens count that were not used yet. */
  get outstanding(): number {
    const isLeft = ({ family, usedAt }: Grant) =>
      usedAt === undefined && !this.#revoked.has(family);
    return [...this.#refreshTokens.values()].filter(isLeft).length;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/api.xro/2.0`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.origin);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    if (url.pathname === "/.well-known/openid-configuration") {
      json(response, 200, { ...this.#document(), ...this.more });
    } else if (url.pathname === "/authorize") this.#authorize(url.searchParams, response);
    else if (url.pathname === "/token") await this.#tokens(request, form, response);
    else if (url.pathname === "/revocation") {
      this.revocations++;
      this.#revoked.add(this.#refreshTokens.get(form.get("token") ?? "")?.family ?? "");
      response.end();
    } else {
      if (url.pathname === "/connections") await this.beforeListing();
      this.#serve(request, url, response);
    }
  }

  #document() {
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      revocation_endpoint: `${this.origin}/revocation`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      only_this_sign_in_supported: true,
    };
  }

  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    const back = new URL(asked.get("redirect_uri") ?? "");
    back.searchParams.set("state", asked.get("state") ?? "");
    back.searchParams.set("iss", this.origin);
    if (this.agrees) {
      const code = randomUUID();
      this.#codes.set(code, asked);
      back.searchParams.set("code", code);
    } else {
      back.searchParams.set("error", "access_denied");
    }
    response.writeHead(302, { location: back.href }).end();
  }

  async #tokens(
    { headers }: IncomingMessage,
    form: URLSearchParams,
    response: ServerResponse,
  ): Promise<void> {
    const grant = form.get("grant_type") ?? "";
    const refreshToken = form.get("refresh_token");
    this.asked.push({ grant, refreshToken, authorization: headers.authorization });
    const fault = this.faults.shift();
    if (fault === "500" || fault === "503") {
      response.writeHead(Number(fault)).end();
    } else if (typeof fault === "string" && fault.startsWith("invalid_")) {
      json(response, 400, { error: fault });
    } else {
      const given = this.#given(grant, form);
      if (typeof fault === "function") await fault(response);
      if (fault === "cut") response.destroy();
      else if (typeof given === "string") json(response, 400, { error: given });
      else json(response, 200, { ...given, ...this.extra });
    }
  }

  /** What a grant gives, or the error that it is. */
  #given(grant: string, form: URLSearchParams): object | string {
    if (grant === "authorization_code") {
      const asked = this.#codes.get(form.get("code") ?? "");
      this.#codes.delete(form.get("code") ?? "");
      const challenge = createHash("sha256").update(form.get("code_verifier") ?? "");
      const isProved = asked?.get("code_challenge") === challenge.digest("base64url");
      const isSame = asked?.get("redirect_uri") === form.get("redirect_uri");
      if (asked === undefined || !isProved || !isSame) return "invalid_grant";
      const id_token = this.#idToken(asked);
      return { ...this.#pair(randomUUID()), scope: asked.get("scope"), id_token };
    }
    if (grant === "client_credentials") return this.#access();
    const known = this.#refreshTokens.get(form.get("refresh_token") ?? "");
    const isLate = known?.usedAt !== undefined && Date.now() - known.usedAt >= this.graceMs;
    if (known === undefined || isLate || this.#revoked.has(known.family)) return "invalid_grant";
    known.usedAt ??= Date.now();
    this.renewals++;
    return this.#pair(known.family);
  }

  #pair(family: string) {
    const refresh_token = `refresh-${randomUUID()}`;
    this.#refreshTokens.set(refresh_token, { family });
    return { ...this.#access(), refresh_token };
  }

  #access() {
    const access_token = `access-${randomUUID()}${this.ending}`;
    this.accessTokens.set(access_token, Date.now() + this.expiresInS * 1000);
    return { access_token, token_type: "Bearer", expires_in: this.expiresInS };
  }

  #idToken(asked: URLSearchParams): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.origin,
      aud: asked.get("client_id"),
      sub: "ann",
      email: "ann@quay.example",
      iat: now,
      exp: now + 300,
      nonce: asked.get("nonce"),
    };
    const parts = [{ alg: "RS256", typ: "JWT" }, claims].map((each) =>
      Buffer.from(JSON.stringify(each)).toString("base64url"),
    );
    return `${parts.join(".")}.${Buffer.from("unread").toString("base64url")}`;
  }

  /** The API: organisations, and an empty list of whatever else. */
  #serve({ headers }: IncomingMessage, url: URL, response: ServerResponse): void {
    const tenant = headers["xero-tenant-id"] as string | undefined;
    this.calls.push({ path: url.pathname, tenant });
    const endsAt = this.accessTokens.get(headers.authorization?.replace("Bearer ", "") ?? "");
    if (endsAt === undefined || endsAt <= Date.now()) {
      const Detail =
        endsAt === undefined
          ? "AuthenticationUnsuccessful"
          : "TokenExpired: token expired at 01/01/2026 00:00:00";
      json(response, 401, { Type: null, Title: "Unauthorized", Status: 401, Detail });
    } else if (url.pathname === "/connections") {
      json(response, 200, this.#connections());
    } else {
      json(response, 200, { Status: "OK", [url.pathname.split("/").at(-1) ?? ""]: [] });
    }
  }

  #connections() {
    return this.organisations.map(({ id, name }) => ({
      id: randomUUID(),
      tenantId: id,
      tenantType: "ORGANISATION",
      tenantName: name,
    }));
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
