/** What a service has beyond the public API, by its own description. */
import { UnavailableError } from "../resources/errors.ts";
import type { ClientOptions } from "./asked.ts";
import type { Calls } from "./calls.ts";
import type { Client } from "./client.ts";

interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Asks for the description once. A service that gives none has nothing beyond. */
export function offeringOf({ get }: Calls, { rollsBack }: ClientOptions): Client["offers"] {
  let description: Promise<Described> | undefined;
  const read = async (): Promise<Described> => {
    try {
      return JSON.parse(await get("/openapi.json")) as Described;
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      return {};
    }
  };
  return async (method, path, schema) => {
    if (rollsBack === true) return true;
    description ??= read();
    const operation = (await description).paths?.[path]?.[method.toLowerCase()];
    if (operation === undefined) return false;
    return schema === undefined || JSON.stringify(operation).includes(`/${schema}"`);
  };
}
