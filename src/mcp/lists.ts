/** `list` and `find`: records as rows, with counts and sums of what is left out. */
import type { FieldValues, Resource } from "../resources/field.ts";
import { handleOf, listedFields, type RecordNoun } from "./kinds.ts";
import { type Given, LineError, read } from "./program.ts";
import { compact, sizeOf } from "./results.ts";
import { type Desk, kind, must, period, rowsOf, type Tool, text, whole } from "./tool.ts";

/** Records that a list looks through; what has more is to be narrowed. */
const countedMax = 20_000;
const rowsMax = 50;
const foundMax = 10;
/** Bytes of an answer besides its rows. */
const bytesBesides = 700;

export const list: Tool = {
  name: "list",
  description:
    "Records of a kind as rows with handles, newest first, with count and sums of all and of what is left out. " +
    "schema names the filters of a kind.",
  takes: (desk) => ({
    kind: must(kind(desk)),
    filter: {
      type: "object",
      description: 'such as {"contact": "Kauri Hotel", "status": "DRAFT"}',
    },
    period,
    where: text('a condition, such as Total>=100 AND Contact.Name=="Kauri Hotel"'),
    order: text("FIELD DESC"),
    account: text("the bank account of bank-line"),
    limit: whole(1, rowsMax),
    cursor: text("of the answer before"),
  }),
  async run(desk, given, bytes) {
    const listed = desk.kinds.get(given.kind as string) as RecordNoun;
    const { resource } = listed;
    const flags = { ...(given.filter as Given), ...pickedFlags(given) };
    const all = await listing(desk, listed, flags, {
      account: given.account as string | undefined,
      limit: countedMax + 1,
    });
    if (all.length > countedMax) {
      const message = `There are more than ${countedMax}; narrow them by filter, period or where.`;
      throw new LineError("TooMany", message);
    }
    const from = Number(given.cursor ?? 0);
    const limit = Number(given.limit ?? rowsMax);
    const rows = rowsWithin(desk, listed, all.slice(from, from + limit), bytes - bytesBesides);
    const to = from + rows.length;
    const left = all.slice(to);
    return {
      rows,
      count: all.length,
      sums: sumsOf(resource, all),
      ...(left.length === 0
        ? {}
        : { cursor: String(to), left_out: { count: left.length, sums: sumsOf(resource, left) } }),
    };
  },
};

const pickedFlags = ({ period, where, order }: Given): Given => ({ period, where, order });

/** Lists records with the fields of rows alone. */
async function listing(
  { program }: Desk,
  { noun, list: verb, resource }: RecordNoun,
  flags: Given,
  { account, limit }: { readonly account?: string | undefined; readonly limit: number },
): Promise<readonly object[]> {
  const { flags: known = [] } = (await program.verbs(noun)).find(({ name }) => name === verb) ?? {};
  const isBounded = known.some(({ name }) => name === "limit");
  const columns = `--columns=${listedFields(resource).join(",")}`;
  const own = isBounded ? [columns, `--limit=${limit}`] : [columns];
  const args = account === undefined ? [] : [account];
  return rowsOf(await read(program, { noun, verb, flags, own, args }));
}

function rowsWithin(
  { program }: Desk,
  listed: RecordNoun,
  records: readonly object[],
  bytes: number,
): object[] {
  const rows: object[] = [];
  let left = bytes;
  for (const record of records) {
    const row = rowOf(program.safeText, listed, record);
    left -= sizeOf(row) + 1;
    if (left < 0 && rows.length > 0) break;
    rows.push(row);
  }
  return rows;
}

const rowOf = (safe: (text: string) => string, listed: RecordNoun, record: object): object => ({
  handle: safe(handleOf(listed, record)),
  ...(compact(record, safe) as object),
});

/** Sums of the amounts of records by currency; undefined for records that are not summed. */
function sumsOf({ document, sums, columns, fields }: Resource, records: readonly object[]) {
  const amounts = sums ?? (document === undefined ? [] : columns);
  const summed = amounts.filter((name) => fields[name]?.kind === "money");
  if (summed.length === 0 || records.length === 0) return undefined;
  const cents = new Map<string, bigint[]>();
  for (const record of records as readonly FieldValues[]) {
    const currency = String(record.CurrencyCode ?? "base");
    const before = cents.get(currency) ?? summed.map(() => 0n);
    const added = summed.map((name, at) => {
      const amount = BigInt(Math.round(Number(record[name] ?? 0) * 100));
      return (before[at] ?? 0n) + amount;
    });
    cents.set(currency, added);
  }
  return Object.fromEntries(
    [...cents].map(([currency, totals]) => [
      currency,
      Object.fromEntries(summed.map((name, at) => [name, Number(totals[at]) / 100])),
    ]),
  );
}

export const find: Tool = {
  name: "find",
  description:
    "Words of a name, number or reference to records of every kind, at most 10, by their handles.",
  takes: (desk) => ({ words: must(text("part of a name or number")), kind: kind(desk) }),
  async run(desk, given) {
    const words = given.words as string;
    const kinds = [...desk.kinds.values()].filter(
      (kind) =>
        (given.kind ?? kind.name) === kind.name && searchOf(kind.resource, words) !== undefined,
    );
    const found = await Promise.all(
      kinds.map(async (kind) => {
        const flags = searchOf(kind.resource, words) as Given;
        const records = await listing(desk, kind, flags, { limit: foundMax });
        return records.map((record) => rowOf(desk.program.safeText, kind, record));
      }),
    );
    return { found: found.flat().slice(0, foundMax), more: found.flat().length > foundMax };
  },
};

/** Fields that name a record which has no search of its own. */
const nameFields = ["Name", "Code", "LastName", "Description", "Narration"];

/** Returns the flags by which a list looks for words; undefined where it cannot. */
function searchOf({ name, search, where, fields }: Resource, words: string): Given | undefined {
  if (name === "BankStatementLine") return undefined;
  if (search !== undefined) return { search: words };
  const named = nameFields.find((nameField) => fields[nameField]?.kind === "text");
  if (where !== true || named === undefined) return undefined;
  return { where: `${named}.ToLower().Contains(${JSON.stringify(words.toLowerCase())})` };
}
