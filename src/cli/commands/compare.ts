/** `acct compare`: plays a recording, and lists where the answers are of another kind. */
import { inputText } from "../../platform/input-file.ts";
import { ToldError } from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import { readCassette } from "../cassette/cassette.ts";
import { compare, isMasked, readAccepted, signatureOf } from "../cassette/compare.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";

const cassetteBounds = { bytes: 256 * 1024 * 1024 };

/** Exit code where answers differ. */
const differ = 7;

export const compareCommand = command("compare", "a recording, played against another service")
  .answers("value")
  .argument("FILE", "a recording of acct record", { live: "file" })
  .flag("country", "country of a new organisation that is played against; NZ when not given", {
    placeholder: "CODE",
  })
  .switch("values", "compare what answers say as well, not their kind alone")
  .flag(
    "mask",
    "a field or header whose differences are not told, by its name or path; repeatable",
    {
      placeholder: "FIELD",
      repeat: true,
    },
  )
  .flag("accept", "a file of differences that are known: what -o json told before", {
    placeholder: "FILE",
    live: "file",
  })
  .note(
    "Plays the exchanges in order against a new organisation on a server of its own, which does as the " +
      "public cloud and is gone at the end; with --base-url or --profile against that service. Ids are " +
      "taken for those that first stand in their places.",
  )
  .note(
    "Told is where answers are of another kind: status, codes of errors, parts that are missing or new, " +
      "types, forms of dates, amounts and ids, headers, the order of lists. Exits 0 where there is none, " +
      "7 where there is one, 5 where the file is no recording.",
  )
  .note(
    "A difference of --accept is known by its kind and path in requests to the same address, whatever " +
      "the ids; programs may add a reason to its row.",
  )
  .example("acct compare shop.cassette")
  .example("acct compare shop.cassette --base-url https://books.example/api.xro/2.0 -o json")
  .example("acct compare shop.cassette --mask UpdatedDateUTC --accept known.json")
  .action(compareAll);

interface CompareFlags {
  readonly country?: string | undefined;
  readonly values?: boolean | undefined;
  readonly mask?: readonly string[] | undefined;
  readonly accept?: string | undefined;
}

async function compareAll(ctx: Context, file: string, flags: CompareFlags): Promise<void> {
  const exchanges = readCassette(file, inputText(file, cassetteBounds));
  const { country, values = false, mask = [], accept } = flags;
  const known = new Set(accept === undefined ? [] : readAccepted(accept).map(signatureOf));
  const all = await compare(ctx, exchanges, { country, values });
  const found = all.filter((each) => !isMasked(each, mask) && !known.has(signatureOf(each)));
  const lines = found.map(
    ({ exchange, request, kind, path, recorded, answered }) =>
      `${exchange} ${request}: ${[kind, path].filter(Boolean).join(" ")}: ${recorded}, now ${answered}`,
  );
  await ctx.out.value(found, lines.join("\n"));
  const expected = all.length - found.length;
  const beside =
    expected === 0 ? "" : `, beside ${expected} that ${expected === 1 ? "is" : "are"} expected`;
  const sum = `${counted(found.length, "difference")} in ${counted(exchanges.length, "exchange")}${beside}.`;
  ctx.out.say(sum);
  if (found.length > 0) throw new ToldError(sum, differ);
}
