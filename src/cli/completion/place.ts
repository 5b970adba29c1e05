/** Where the line that is being typed asks: what its words name, if it is there. */
import type { Client } from "../../client/client.ts";
import { exists, targetOf } from "../connection/target.ts";
import type { Context } from "../framework/context.ts";
import { build } from "../framework/version.ts";
import { all, type Found } from "./asked.ts";

/** How long a service elsewhere may take, all in all. */
const remoteMs = 250;

/** Opens what the words of the line name, if it is there, and keeps quiet about all of it. */
export async function withClient(
  ctx: Context,
  words: readonly string[],
  ask: (client: Client) => Promise<Found>,
): Promise<Found> {
  const flags = { ...placeFlags(words, ctx.env), ...quietFlags };
  const place = targetOf(flags, ctx.env, build);
  if (!exists(place)) return all([]);
  const signals = [ctx.interrupted];
  if (place.kind === "remote") signals.push(AbortSignal.timeout(remoteMs));
  const { open } = await import("../connection/open.ts");
  const { client } = await open(
    {
      ...ctx,
      flags,
      target: () => place,
      out: { ...ctx.out, say: () => undefined },
      interrupted: AbortSignal.any(signals),
    },
    { mayRenew: false },
  );
  try {
    return await ask(client);
  } finally {
    await client.close();
  }
}

const quietFlags = {
  output: "table",
  dryRun: false,
  yes: false,
  input: false,
  verbose: false,
  color: false,
  allowDuplicate: false,
} as const;

/** The flags that say where, out of words of which the last is not finished. */
function placeFlags(words: readonly string[], env: Context["env"]) {
  const given = (name: string): string | undefined => {
    const at = words.findLastIndex((word) => word === name || word.startsWith(`${name}=`));
    if (at < 0) return undefined;
    const value = words[at] === name ? words[at + 1] : words[at]?.slice(name.length + 1);
    return value && typed(value, env);
  };
  return {
    book: given("--book"),
    profile: given("--profile"),
    baseUrl: given("--base-url"),
    tenant: given("--tenant"),
    demo: words.includes("--demo"),
  };
}

/** A word that a shell hands on as it stands on the line, with its quotes and its `~`. */
function typed(word: string, { HOME }: Context["env"]): string {
  const quote = /^(["'])(.*?)\1?$/.exec(word);
  if (quote) return quote[2] ?? "";
  const plain = word.replace(/\\(.)/g, "$1");
  return HOME !== undefined && /^~(\/|$)/.test(plain) ? HOME + plain.slice(1) : plain;
}
