/** Asks the book of a desk as somebody else would, or as nobody who may. */

import { createService } from "../../src/service/api/service.ts";
import type { Limiter } from "../../src/service/limits/limits.ts";
import { planKeyInMemory } from "../../src/service/plans/plan-key.ts";
import type { Principal } from "../../src/service/request/context.ts";
import type { Store } from "../../src/store/store.ts";
import { serverOf } from "../support/audit.ts";
import { type Desk, nowhere } from "./desk.ts";
import { readBack } from "./plain.ts";

interface Other {
  /** What of the caller differs from a user of another app; or what recognising it throws. */
  readonly who?: Partial<Principal> | Error;
  readonly limiter?: Limiter;
  /** Reads instead of the book's own. */
  readonly read?: Store["read"];
}

/** Reads addresses from a service of its own on the book of a desk. */
export function otherCaller(desk: Desk, { who = {}, limiter, read }: Other) {
  const { store, org } = desk.given.book;
  const principal: Principal = {
    org,
    app: "other",
    appName: "Other",
    user: "U",
    email: "u@x.example",
    reports: true,
    role: "STANDARD",
    scopes: "all",
  };
  const service = createService({
    store: read === undefined ? store : { ...store, read },
    clock: () => desk.given.now,
    newId: () => nowhere,
    responseId: () => nowhere,
    mailer: async () => undefined,
    baseUrl: "http://x",
    publicUrl: "http://x",
    planKey: planKeyInMemory(),
    server: serverOf(store),
    limiter,
    report: () => undefined,
    authenticate: () => {
      if (who instanceof Error) throw who;
      return { ...principal, ...who };
    },
  });
  return async (path: string) => {
    const headers = { accept: desk.type, authorization: "OAuth x" };
    const answer = await service.transport({ method: "GET", path, query: [], headers });
    const text = String(answer.body);
    return { ...answer, text, body: readBack(text) };
  };
}
