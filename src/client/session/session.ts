/**
 * A sign-in at work: gives every request a token that counts, and renews it when it must.
 *
 * A service lets a refresh token be used once and gives another with each new access token. So of all
 * the processes that work with one sign-in only one may renew it, and what it was given must not be
 * lost. It is done under a lock (`lock.ts`); those who wait for it take what the one at work brings,
 * be it a token or a failure. Before the service is asked, a note is put to the sign-in, on the disk;
 * the old token stays there until the new one has taken its place in one step. Whoever is killed in
 * between leaves the old one behind, which services take for another half hour for this very reason.
 * The sign-in is over only when the service says so, by `invalid_grant`; whatever else goes wrong may
 * go right the next time.
 */
import { setTimeout } from "node:timers/promises";
import { AcctError, AuthError, UnavailableError } from "../../resources/errors.ts";
import { canBeSentAgain, textOf } from "../../wire/body.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../../wire/http.ts";
import { failures } from "../transport/http.ts";
import type { About, SignIn, SignIns } from "./sign-ins.ts";
import type { Web } from "./web.ts";

export interface SessionOptions {
  readonly signIns: SignIns;
  readonly id: string;
  /** The command that signs in again. */
  readonly signInAgain: string;
  readonly clock: () => number;
  /** Opened when something is to be asked of the service that signs in. */
  readonly openWeb: () => Web;
  /** Stops waiting; a renewal that was asked for is seen to its end. */
  readonly signal?: AbortSignal | undefined;
  /** False makes do with the token there is: for what has no time for more. */
  readonly mayRenew?: boolean | undefined;
  /** Lets some milliseconds go by; until `signal` when not given. */
  readonly sleep?: ((pauseMs: number) => Promise<void>) | undefined;
  /** Told what the person should know. */
  readonly notify?: ((message: string) => void) | undefined;
}

/** A token that ends sooner is renewed before it is used. */
const soonMs = 60_000;
const triesMax = 3;
const firstPauseMs = 250;
/** A service that wants a longer pause is taken at its word, and not waited for. */
const pauseMaxMs = 5_000;
/** How long a service is left alone that could not renew a token that still counts. */
const restMs = 10_000;
/** Longer than all tries of the one at work can take. */
const waitMaxMs = 100_000;

export class Session {
  readonly #options: SessionOptions;
  #known: SignIn | undefined;
  #renewing: Promise<SignIn> | undefined;
  /** Until when a service that could not renew is left alone. */
  #restUntil = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /**
   * A token that counts for a minute at least.
   *
   * @throws AuthError `NotSignedIn`, `SignedOut`; UnavailableError when it cannot be renewed now
   */
  async accessToken(): Promise<string> {
    const { clock } = this.#options;
    this.#known ??= await this.#read();
    if (this.#isFresh(this.#known)) return this.#known.secrets.accessToken;
    if (this.#known.expiresAt > clock() && clock() < this.#restUntil) {
      return this.#known.secrets.accessToken;
    }
    // Another process may have renewed it since.
    this.#known = await this.#read();
    if (this.#isFresh(this.#known)) return this.#known.secrets.accessToken;
    const { expiresAt, secrets } = this.#known;
    try {
      return (await this.renew(secrets.accessToken)).secrets.accessToken;
    } catch (error) {
      // It has some seconds left, which is better than nothing.
      if (!(error instanceof UnavailableError) || expiresAt <= clock()) throw error;
      this.#restUntil = clock() + restMs;
      return secrets.accessToken;
    }
  }

  /** The access token that is kept, whether it counts or not. @throws AuthError */
  async held(): Promise<string> {
    this.#known = await this.#read();
    return this.#known.secrets.accessToken;
  }

  /**
   * Renews the sign-in, unless another process has done so already.
   *
   * @param refused  the access token that no longer serves
   */
  async renew(refused: string): Promise<SignIn> {
    // Many requests of one process meet the end of a token together.
    this.#renewing ??= this.#renewed(refused).finally(() => {
      this.#renewing = undefined;
    });
    this.#known = await this.#renewing;
    return this.#known;
  }

  async #renewed(refused: string): Promise<SignIn> {
    const { signIns, id, clock, signal, mayRenew = true } = this.#options;
    if (!mayRenew) throw new AuthError("TokenExpired", "The access token has expired.");
    const since = clock();
    const isSettled = () => {
      const about = signIns.about(id);
      const before = this.#known;
      if (about === undefined || about.endedAt !== undefined) return true;
      return about.renewedAt !== before?.renewedAt || hasFailed(about, since);
    };
    for (;;) {
      const { whileLocked } = await import("./lock.ts");
      const renewed = await whileLocked(
        signIns.lockOf(id),
        { waitMaxMs, signal, isSettled },
        async () => (await this.#settled(refused, since)) ?? this.#ask(await this.#read()),
      );
      const signIn = renewed ?? (await this.#settled(refused, since));
      if (signIn !== undefined) return signIn;
      this.#known = await this.#read();
    }
  }

  /** What another process has come to meanwhile, if it has come to anything. */
  async #settled(refused: string, since: number): Promise<SignIn | undefined> {
    const signIn = await this.#read();
    if (signIn.secrets.accessToken !== refused && this.#isFresh(signIn)) return signIn;
    const { failed } = signIn;
    if (failed === undefined || !hasFailed(signIn, since)) return undefined;
    const { code, message, isRefused } = failed;
    throw isRefused ? new AuthError(code, message) : new UnavailableError(code, message);
  }

  async #ask(signIn: SignIn): Promise<SignIn> {
    const { signIns, id, clock } = this.#options;
    const askedAt = clock();
    signIns.note(id, { renewingSince: askedAt, failed: undefined });
    const tokens = await this.#askAgain(signIn).catch((error: unknown) => {
      throw this.#noted(error);
    });
    const { accessToken, refreshToken = signIn.secrets.refreshToken, scopes, expiresInMs } = tokens;
    const renewed: SignIn = {
      ...signIn,
      secrets: { ...signIn.secrets, accessToken, refreshToken },
      scopes: scopes ?? signIn.scopes,
      // From before it was asked for: rather too soon than too late.
      expiresAt: askedAt + expiresInMs,
      renewedAt: Math.max(askedAt, signIn.renewedAt + 1),
      renewingSince: undefined,
      failed: undefined,
    };
    await this.#save(renewed);
    return renewed;
  }

  async #askAgain(signIn: SignIn) {
    const { renewTokens } = await import("./oauth.ts");
    const web = this.#options.openWeb();
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await renewTokens(web, signIn);
        } catch (error) {
          const pauseMs = pauseAfter(error, tries);
          if (pauseMs === undefined) throw error;
          await this.#sleep(pauseMs);
        }
      }
    } finally {
      await web.close();
    }
  }

  #sleep(pauseMs: number): Promise<void> {
    const { sleep, signal } = this.#options;
    return sleep?.(pauseMs) ?? setTimeout(pauseMs, undefined, { signal });
  }

  /** Puts a failure to the sign-in, and gives the error that the person is to see. */
  #noted(error: unknown): unknown {
    const { signIns, id, clock } = this.#options;
    if (error instanceof AuthError && error.code === "invalid_grant") {
      signIns.note(id, { endedAt: clock(), renewingSince: undefined });
      return this.#signedOut();
    }
    if (!(error instanceof AcctError)) return error;
    const { code, message } = error;
    // What never reached the service used nothing up.
    const isUnsent = code === failures.unreachable;
    const failed = { at: clock(), code, message, isRefused: error instanceof AuthError };
    signIns.note(id, { failed, ...(isUnsent ? { renewingSince: undefined } : {}) });
    return error;
  }

  async #save(renewed: SignIn): Promise<void> {
    const { signIns, notify } = this.#options;
    try {
      await signIns.save(renewed);
    } catch (error) {
      // The old one is still there and counts for a while; this command need not fail for it.
      notify?.(`Warning: the renewed sign-in could not be saved: ${(error as Error).message}`);
    }
  }

  async #read(): Promise<SignIn> {
    const { signIns, id, signInAgain } = this.#options;
    const signIn = await signIns.read(id);
    if (signIn === undefined)
      throw new AuthError("NotSignedIn", `Not signed in: run ${signInAgain}.`);
    if (signIn.endedAt !== undefined) throw this.#signedOut();
    return signIn;
  }

  #signedOut(): AuthError {
    return new AuthError("SignedOut", `Signed out: run ${this.#options.signInAgain}.`);
  }

  #isFresh({ expiresAt }: About): boolean {
    return expiresAt - this.#options.clock() > soonMs;
  }
}

/** Whether a renewal failed while we waited for it. */
function hasFailed({ failed }: About, since: number): boolean {
  return failed !== undefined && failed.at >= since;
}

/** How long to wait before the service is asked again; undefined when that is no use. */
function pauseAfter(error: unknown, tries: number): number | undefined {
  if (!(error instanceof UnavailableError) || error.code === "BadAnswer") return undefined;
  const pauseMs = error.retryAfterMs ?? firstPauseMs * 2 ** (tries - 1);
  return tries < triesMax && pauseMs <= pauseMaxMs ? pauseMs : undefined;
}

/**
 * What a service says of a token that serves no longer: it has expired, or is one that the service
 * does not know any more. What it says of a person who may not is something else.
 */
const spent = new Set(["TokenExpired", "AuthenticationUnsuccessful"]);

/** Puts the token of a session to every request, and another where the service takes it no longer. */
export function signedIn(transport: Transport, session: Session): Transport {
  const withToken = (request: ServiceRequest, token: string): ServiceRequest => ({
    ...request,
    headers: { authorization: `Bearer ${token}`, ...request.headers },
  });
  return async (request) => {
    if (request.headers.authorization !== undefined) return transport(request);
    const token = await session.accessToken();
    const answer = await transport(withToken(request, token));
    if (answer.status !== 401) return answer;
    const body = await textOf(answer.body);
    const refused: ServiceResponse = { ...answer, body };
    const { code } = await decodeError(401, answer.headers, body);
    if (!spent.has(code) || !canBeSentAgain(request.body)) return refused;
    const { secrets } = await session.renew(token);
    return transport(withToken(request, secrets.accessToken));
  };
}
