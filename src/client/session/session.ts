/**
 * Provides access tokens of a sign-in, and renews them.
 *
 * A refresh token can be used once, and each renewal returns a new one. So among all processes that
 * share a sign-in only one may renew at a time, and the new tokens must not be lost. The renewal
 * runs under a lock (`lock.ts`); waiting processes take its result, be it tokens or a failure.
 * Before the request a note is written to disk; the old token stays there until the new one
 * replaces it atomically. A process killed in between leaves the old token, which services accept
 * for another half hour for this reason. Only `invalid_grant` from the service ends the sign-in;
 * any other error may be temporary.
 */

import { setTimeout } from "node:timers/promises";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
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
  /** Command that signs in again, for messages. */
  readonly signInAgain: string;
  readonly clock: () => number;
  /** Opens HTTP access to the authorization server, when it is first needed. */
  readonly openWeb: () => Web;
  /** Aborts waiting; a renewal that was sent is completed. */
  readonly signal?: AbortSignal | undefined;
  /** False never renews, for callers without time such as completion. */
  readonly mayRenew?: boolean | undefined;
  /** Waits some milliseconds; until `signal` aborts when not given. */
  readonly sleep?: ((pauseMs: number) => Promise<void>) | undefined;
  /** Receives warnings for the user. */
  readonly notify?: ((message: string) => void) | undefined;
}

/** A token is renewed when less than this is left of its lifetime. */
const soonMs = 60_000;
const triesMax = 3;
const firstPauseMs = 250;
/** Maximum pause; when the service asks for a longer one, the renewal fails instead. */
const pauseMaxMs = 5_000;
/** Pause after a failed renewal while the old token is still valid. */
const restMs = 10_000;
/** Maximum wait for the lock, longer than all retries of its holder can take. */
const waitMaxMs = 100_000;

export class Session {
  readonly #options: SessionOptions;
  #known: SignIn | undefined;
  #renewing: Promise<SignIn> | undefined;
  /** Time before which no renewal is tried after a failure. */
  #restUntil = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /**
   * Returns an access token that is valid for a minute at least.
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
    // Another process may have renewed the token.
    this.#known = await this.#read();
    if (this.#isFresh(this.#known)) return this.#known.secrets.accessToken;
    const { expiresAt, secrets } = this.#known;
    try {
      return (await this.renew(secrets.accessToken)).secrets.accessToken;
    } catch (error) {
      // A token with some seconds left is better than an error.
      if (!(error instanceof UnavailableError) || expiresAt <= clock()) throw error;
      this.#restUntil = clock() + restMs;
      return secrets.accessToken;
    }
  }

  /**
   * Returns the stored access token, valid or not.
   *
   * @throws AuthError
   */
  async held(): Promise<string> {
    this.#known = await this.#read();
    return this.#known.secrets.accessToken;
  }

  /**
   * Renews the sign-in, unless another process has done so already.
   *
   * @param refusedToken  the access token that the service refused
   */
  async renew(refusedToken: string): Promise<SignIn> {
    // Concurrent requests of a process share one renewal.
    this.#renewing ??= this.#renewed(refusedToken).finally(() => {
      this.#renewing = undefined;
    });
    this.#known = await this.#renewing;
    return this.#known;
  }

  async #renewed(refusedToken: string): Promise<SignIn> {
    const { signIns, id, clock, signal, mayRenew = true } = this.#options;
    if (!mayRenew) throw new AuthError("TokenExpired", "The access token has expired.");
    const sinceMs = clock();
    const isSettled = () => {
      const aboutSignIn = signIns.about(id);
      const knownBefore = this.#known;
      if (aboutSignIn === undefined || aboutSignIn.endedAt !== undefined) return true;
      return aboutSignIn.renewedAt !== knownBefore?.renewedAt || hasFailed(aboutSignIn, sinceMs);
    };
    for (;;) {
      const { whileLocked } = await import("./lock.ts");
      const renewed = await whileLocked(
        signIns.lockOf(id),
        { waitMaxMs, signal, isSettled },
        async () => (await this.#settled(refusedToken, sinceMs)) ?? this.#ask(await this.#read()),
      );
      const signIn = renewed ?? (await this.#settled(refusedToken, sinceMs));
      if (signIn !== undefined) return signIn;
      this.#known = await this.#read();
    }
  }

  /** Returns the result of another process, if there is one. */
  async #settled(refusedToken: string, sinceMs: number): Promise<SignIn | undefined> {
    const signIn = await this.#read();
    if (signIn.secrets.accessToken !== refusedToken && this.#isFresh(signIn)) return signIn;
    const { failed } = signIn;
    if (failed === undefined || !hasFailed(signIn, sinceMs)) return undefined;
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
      // Counts from before the request, so that the token expires early rather than late.
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
    await using web = closeAtBlockEnd(this.#options.openWeb());
    for (let attempts = 1; ; attempts++) {
      try {
        return await renewTokens(web, signIn);
      } catch (error) {
        const pauseMs = pauseAfter(error, attempts);
        if (pauseMs === undefined) throw error;
        await this.#sleep(pauseMs);
      }
    }
  }

  #sleep(pauseMs: number): Promise<void> {
    const { sleep, signal } = this.#options;
    return sleep?.(pauseMs) ?? setTimeout(pauseMs, undefined, { signal });
  }

  /** Records a failure with the sign-in, and returns the error for the user. */
  #noted(error: unknown): unknown {
    const { signIns, id, clock } = this.#options;
    if (error instanceof AuthError && error.code === "invalid_grant") {
      signIns.note(id, { endedAt: clock(), renewingSince: undefined });
      return this.#signedOut();
    }
    if (!(error instanceof AcctError)) return error;
    const { code, message } = error;
    // A request that never reached the service did not use up the refresh token.
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
      // The old token is still stored and valid for a while, so this command need not fail.
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

/** Whether a renewal by another process failed during the wait. */
function hasFailed({ failed }: About, sinceMs: number): boolean {
  return failed !== undefined && failed.at >= sinceMs;
}

/** Returns the pause before a retry; undefined when a retry is of no use. */
function pauseAfter(error: unknown, attempts: number): number | undefined {
  if (!(error instanceof UnavailableError) || error.code === "BadAnswer") return undefined;
  const pauseMs = error.retryAfterMs ?? firstPauseMs * 2 ** (attempts - 1);
  return attempts < triesMax && pauseMs <= pauseMaxMs ? pauseMs : undefined;
}

/**
 * Error types for a token that is expired or unknown to the service; a lack of permission is a
 * different error.
 */
const spentTokenCodes = new Set(["TokenExpired", "AuthenticationUnsuccessful"]);

/**
 * Adds the access token of a session to every request, and renews it when the service refuses it.
 */
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
    const refusedAnswer: ServiceResponse = { ...answer, body };
    const { code } = await decodeError(401, answer.headers, body);
    if (!spentTokenCodes.has(code) || !canBeSentAgain(request.body)) return refusedAnswer;
    const { secrets } = await session.renew(token);
    return transport(withToken(request, secrets.accessToken));
  };
}
