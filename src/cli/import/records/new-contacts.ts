/** Reports contacts that a command creates implicitly. */
import { contact } from "../../../resources/contact.ts";
import { counted } from "../../../resources/scalar.ts";
import { embeddedBounds, remoteBounds } from "../../../wire/query/lookup-bounds.ts";
import type { Context } from "../../context/context.ts";
import { safeLine } from "../../render/safe.ts";
import { fold, withAny } from "./lookup.ts";

/** Maximum count of names in a message. */
const namedMax = 5;

/**
 * Checks which names the book already has.
 *
 * @returns a function that reports, after the command, the contacts that it created
 */
export async function watchContacts(
  ctx: Context,
  names: readonly string[],
): Promise<(names?: readonly string[]) => Promise<void>> {
  const client = await ctx.client();
  const bounds = ctx.target().kind === "remote" ? remoteBounds : embeddedBounds;
  const storedNames = async (some: Iterable<string>) => {
    const nameByFolded = new Map<string, string>();
    const parameters = { summaryOnly: "true" };
    for await (const record of withAny(client, contact, "Name", some, bounds, parameters)) {
      nameByFolded.set(fold(record.Name), record.Name);
    }
    return nameByFolded;
  };
  const nameBefore = await storedNames(new Set(names));
  return async (list = names) => {
    const newNamesSet = new Set(list.filter((name) => !nameBefore.has(fold(name))));
    const newNames = [...(await storedNames(newNamesSet)).values()];
    if (newNames.length === 0) return;
    const andMore = newNames.length > namedMax ? ` and ${newNames.length - namedMax} more` : "";
    const shownNames = newNames.slice(0, namedMax).map(safeLine).join(", ");
    ctx.out.say(`${counted(newNames.length, "contact")} made: ${shownNames}${andMore}.`);
  };
}
