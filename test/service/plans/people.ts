/** People who make, approve and apply plans of one book. */
import { userFrom } from "../../../src/service/books/book.ts";
import { createService } from "../../../src/service/request/service.ts";
import { textOf } from "../../../src/wire/body.ts";
import type { Json, World } from "../fixture.ts";

export const path = "/Extensions/Plans";

/**
 * Asks the book of a world as one of several people, below `/Extensions/Plans` unless it is told.
 *
 * @returns the plan of the answer, or the sentence with which it is refused
 */
export function asked({ book }: World, email: string, root = path) {
  const { handle } = createService({
    ...book.surroundings,
    responseId: book.surroundings.newId,
    authenticate: () => ({
      ...userFrom({ user: email.split("@")[0], email }),
      org: book.org,
      tenant: book.tenant,
      app: "acct",
      appName: "acct",
    }),
  });
  return async (deed: string, body: Json): Promise<Json> => {
    const response = await handle({
      method: "POST",
      path: `${root}${deed}`,
      query: [],
      headers: { accept: "application/json", "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
    });
    const json = JSON.parse(await textOf(response.body));
    if (response.status === 200) return json.Plans[0];
    return json.Elements[0].ValidationErrors[0].Message;
  };
}
