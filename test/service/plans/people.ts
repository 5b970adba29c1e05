/** People who make, approve and apply plans of one book. */

import { createService } from "../../../src/service/api/service.ts";
import { addMember, type Role, staffIn } from "../../../src/service/auth/people.ts";
import { userFrom } from "../../../src/service/books/book.ts";
import type { Principal, ServiceDependencies } from "../../../src/service/request/context.ts";
import { textOf } from "../../../src/wire/body.ts";
import { tester } from "../../support/audit.ts";
import type { Json, World } from "../fixture.ts";

export const path = "/Extensions/Plans";

/** Lets somebody work for the organisation of a world. */
export async function hire({ book }: Pick<World, "book">, email: string, role: Role = "standard") {
  const { store, org, tenant: OrganisationID } = book;
  const directory = await book.directory();
  const staff = staffIn(store, { org, OrganisationID }, Date.now, tester, directory);
  await addMember(staff, { email, role, password: "correct horse battery" });
}

/** The service of the book of a world as one of several people. */
export function serviceAs(
  { book }: Pick<World, "book">,
  email: string,
  around: Partial<ServiceDependencies> = {},
  principal: Partial<Principal> = {},
) {
  return createService({
    ...book.dependencies,
    ...around,
    responseId: book.dependencies.newId,
    authenticate: () => ({
      ...userFrom({ user: email.split("@")[0], email }),
      org: book.org,
      tenant: book.tenant,
      isPerson: true,
      app: "acct",
      appName: "acct",
      ...principal,
    }),
  });
}

/**
 * Asks the book of a world as one of several people, below `/Extensions/Plans` unless it is told.
 *
 * @param around     what of its surroundings differs
 * @param principal  what of the person or app differs
 * @returns the plan of the answer, or the sentence with which it is refused
 */
export function asked(
  given: Pick<World, "book">,
  email: string,
  root = path,
  around: Partial<ServiceDependencies> = {},
  principal: Partial<Principal> = {},
) {
  const { transport: handle } = serviceAs(given, email, around, principal);
  return async (deed: string, body: Json): Promise<Json> => {
    const [below = "", query] = deed.split("?");
    const response = await handle({
      method: "POST",
      path: `${root}${below}`,
      query: [...new URLSearchParams(query)],
      headers: { accept: "application/json", "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
    });
    const text = await textOf(response.body);
    // A limit is told in the form of OAuth.
    if (text.startsWith("oauth")) return decodeURIComponent(text);
    const json = JSON.parse(text);
    if (response.status === 200) return json.Plans[0];
    return json.Elements?.[0].ValidationErrors[0].Message ?? json.Message ?? json.Detail;
  };
}
