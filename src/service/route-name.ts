/** By which name a request stands in the log, in figures and in a plan of faults. */
import { routeFor } from "./routes.ts";

/** For whatever else is asked for: a name for every address would be for a stranger to choose. */
export const nowhere = "(none)";

/** The address with braces for what differs, `/Invoices/{InvoiceID}`. @param path  below the API root */
export function routeName(method: string, path: string): string {
  try {
    return routeFor(method === "HEAD" ? "GET" : method, path).route.path;
  } catch {
    return nowhere;
  }
}
