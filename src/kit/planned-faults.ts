/** Faults that a test plans: which request of the API fails, and how. */
import { NotFoundError, UsageError } from "../resources/errors.ts";
import { allRoutes, nowhere, routeName } from "../service/api/routing.ts";
import type { ChooseFault } from "../service/fault-injection/inject.ts";
import type { FaultKind } from "../service/fault-injection/plan.ts";
import type { PlannedFault, RequestFilter } from "./face.ts";

interface Planned extends PlannedFault {
  readonly id: number;
  readonly kind: FaultKind;
  met: number;
  hits: number;
}

/** Strength of a delay of a second, to which milliseconds are set in proportion. */
const delayMs = 1000;
const halfway = 0.5;

export class PlannedFaults {
  readonly #planned = new Map<number, Planned>();
  #last = 0;

  /** @throws UsageError `BadValue` for a method or path that no route has, or the time of no delay */
  add(fault: PlannedFault): Planned {
    const { kind, ms, nth = 1, times = 1 } = fault;
    checkRoute(fault);
    if (ms !== undefined && kind !== "delay") {
      throw new UsageError("BadValue", `ms is of a delay; a fault of the kind ${kind} has none.`);
    }
    this.#last += 1;
    const planned = {
      ...fault,
      id: this.#last,
      kind: kind as FaultKind,
      nth,
      times,
      met: 0,
      hits: 0,
    };
    this.#planned.set(planned.id, planned);
    return planned;
  }

  /** @throws NotFoundError */
  find(id: number): Planned {
    const planned = this.#planned.get(id);
    if (planned === undefined) throw new NotFoundError("NotFound", `There is no fault ${id}.`);
    return planned;
  }

  remove(id: number): void {
    this.#planned.delete(this.find(id).id);
  }

  clear(): void {
    this.#planned.clear();
  }

  get all(): readonly Planned[] {
    return [...this.#planned.values()];
  }

  readonly choose: ChooseFault = (method, route, { path, headers }) => {
    for (const fault of this.all) {
      const isMet =
        (fault.method ?? method).toUpperCase() === method &&
        (fault.path === undefined || fault.path === path || fault.path === route) &&
        (fault.tenant === undefined || fault.tenant === headers["xero-tenant-id"]);
      if (!isMet) continue;
      fault.met += 1;
      const { nth = 1, times = 1 } = fault;
      if (fault.met < nth || fault.met >= nth + times) continue;
      fault.hits += 1;
      return {
        kind: fault.kind,
        force: fault.kind === "delay" ? (fault.ms ?? delayMs) / delayMs : halfway,
      };
    }
    return undefined;
  };
}

/** @throws UsageError `BadValue` for a method or path that no route of the API has */
export function checkRoute({ method: asked, path }: RequestFilter): void {
  const method = asked?.toUpperCase();
  const routes = allRoutes().filter((route) => method === undefined || route.method === method);
  const isOfRoute = ({ method }: { readonly method: string }) =>
    path === undefined || routeName(method, path) !== nowhere;
  if (routes.some(isOfRoute)) return;
  const known = (
    routes.length > 0 ? routes.map((route) => route.path) : ["GET, PUT, POST, DELETE"]
  ).sort();
  const askedRoute = [method, path].filter(Boolean).join(" ");
  throw new UsageError(
    "BadValue",
    `No route is ${askedRoute}; there are ${[...new Set(known)].join(", ")}.`,
  );
}
