/** Tools that change the books: each makes a plan, which the service keeps until a person decides. */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathOf } from "../resources/field.ts";
import type { Plan } from "../resources/plan.ts";
import { readHandle } from "./kinds.ts";
import { carryOut, type Given, type Line, LineError, read } from "./program.ts";
import { type Desk, handle, kind, must, period, rowsOf, type Tool, text } from "./tool.ts";

/** Largest file that is attached or imported, in bytes. */
const fileMax = 5 * 1024 * 1024;

const keyed = { key: text("the same key, the same plan") };

/** Files of a call, in a folder that is gone after it. */
class Folder {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }

  /** Writes a file. @returns its path */
  async put(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.path, basename(name));
    await writeFile(path, content, { flag: "wx", mode: 0o600 });
    return path;
  }
}

/** Makes the lines of a plan. */
type Lines = (folder: Folder) => Promise<readonly Line[]>;

/**
 * Has the service keep a plan.
 *
 * @param name      of the tool
 * @param path      at which it is made
 * @param requests  of the plan, where the service does not find them
 */
async function keep(
  { program }: Desk,
  name: string,
  given: Given,
  path: string,
  requests: (folder: Folder) => Promise<readonly unknown[]>,
) {
  const id = given.key === undefined ? undefined : guidOf(String(given.key));
  const before = id && (await planAt(program, id).catch(() => undefined));
  if (before) return summary(before);
  const folder = new Folder(await mkdtemp(join(tmpdir(), "acct-plan-")));
  try {
    const made = { PlanID: id, Command: `acct mcp: ${name}`, Requests: await requests(folder) };
    const input = await folder.put("plans.json", JSON.stringify({ Plans: [made] }));
    const own = [`--input=${input}`, "POST", path];
    const { Plans } = (await carryOut(program, { noun: ["api"], own }, [])) as { Plans: [Plan] };
    return summary(await planAt(program, Plans[0].PlanID));
  } finally {
    await rm(folder.path, { recursive: true });
  }
}

/**
 * Tries lines, and has the service keep what they would do as one plan.
 *
 * @throws LineError as one of the lines is refused
 */
export const planned = (desk: Desk, name: string, given: Given, lines: Lines) =>
  keep(desk, name, given, "/Extensions/Plans", async (folder) => {
    const requests: unknown[] = [];
    for (const [at, line] of (await lines(folder)).entries()) {
      const file = join(folder.path, `${at}.plan`);
      await carryOut(desk.program, line, ["--yes", `--plan=${file}`]);
      requests.push(...(JSON.parse(await readFile(file, "utf8")) as { Requests: [] }).Requests);
    }
    return requests;
  });

/** An id that follows from a key. */
function guidOf(key: string): string {
  const hex = createHash("sha256").update(key).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const planAt = async (program: Desk["program"], key: string) =>
  (await read(program, { noun: ["plan"], verb: "show", args: [key] })) as Plan;

/** What a plan would do, without the fields of its records. */
function summary({ Number: number, State, Amount, Needs, Reason, MadeBy, ...plan }: Plan): object {
  return {
    handle: `plan:${number}`,
    state: State,
    amount: Amount,
    made_by: MadeBy,
    needs: Needs,
    refused: Reason,
    records: plan.Records?.map(({ Change, Resource, RecordID, Name = RecordID }) => [
      Change,
      Resource,
      Name,
    ]),
    accounts: plan.Accounts?.map((each) => [each.AccountCode, each.AccountName, each.Change]),
    messages: plan.Messages,
    next: State === "WAITING" ? `a person approves it: acct plan approve ${number}` : undefined,
  };
}

const records = { type: "array", minItems: 1, maxItems: 50, items: { type: "object" } };

const create: Tool = {
  name: "create",
  description:
    'New records of a kind, with the fields that schema names, such as {"Contact": {"Name": "Kauri Hotel"}, "LineItems": [{"Description": "Mug", "Quantity": 2, "UnitAmount": 50, "AccountCode": "200"}]}.',
  takes: (desk) => ({ kind: must(kind(desk)), records: must(records), ...keyed }),
  run: (desk, given) =>
    planned(desk, `create ${given.kind}`, given, async (folder) => {
      const { name, resource } = readHandle(desk.kinds, `${given.kind}:new`).kind;
      if (!resource.collection.includes("PUT")) {
        throw new LineError(
          "UnknownCommand",
          `A ${name} comes of other records; create makes none.`,
        );
      }
      const typed = { invoice: { Type: "ACCREC" }, bill: { Type: "ACCPAY" } }[name];
      const made = (given.records as object[]).map((value) => ({ ...typed, ...value }));
      const body = JSON.stringify({ [resource.plural]: made });
      const input = await folder.put("records.json", body);
      const query = resource.unitdp === true ? ["--query=unitdp=4"] : [];
      return [{ noun: ["api"], own: [...query, `--input=${input}`, "PUT", pathOf(resource)] }];
    }),
};

const update: Tool = {
  name: "update",
  description:
    "Other values of fields of a record, by the names that schema has; lines given replace all lines.",
  takes: () => ({ handle: must(handle), fields: must({ type: "object" }), ...keyed }),
  run: (desk, given) =>
    planned(desk, `update ${given.handle}`, given, async (folder) => {
      const { kind, key } = readHandle(desk.kinds, given.handle as string);
      const line = { noun: kind.noun, verb: "update", args: [key] };
      const verbs = await desk.program.verbs(kind.noun);
      const flags = verbs.find(({ name }) => name === "update")?.flags ?? [];
      if (!flags.some(({ name }) => name === "file")) {
        return [{ ...line, flags: given.fields as Given }];
      }
      const body = JSON.stringify({ [kind.resource.plural]: [given.fields] });
      return [{ ...line, own: [`--file=${await folder.put("record.json", body)}`] }];
    }),
};

/** Verbs that other tools are for, or that need a file. */
const otherVerbs = ["create", "add", "update", "copy", "import", "import-e-invoice", "match"];

const transition: Tool = {
  name: "transition",
  description:
    "What is done to a record by a verb of its kind, as schema lists them: submit, approve, void, email, archive, depreciate … with its flags.",
  takes: () => ({
    handle: must(text("KIND:KEY, or KIND alone for a verb of all, such as asset")),
    verb: must(text("such as approve")),
    flags: { type: "object", description: 'such as {"to": "2026-03"}' },
    words: text("what the verb takes after the record, such as the text of a note"),
    ...keyed,
  }),
  run: (desk, given) =>
    planned(desk, `${given.verb} ${given.handle}`, given, async () => {
      const [named = "", verb = ""] = [given.handle as string, given.verb as string];
      const isAll = desk.kinds.has(named);
      const { kind, key } = readHandle(desk.kinds, isAll ? `${named}:all` : named);
      const verbs = (await desk.program.verbs(kind.noun)).filter(
        ({ name, writes }) => writes && !otherVerbs.includes(name),
      );
      if (!verbs.some(({ name }) => name === verb)) {
        const names = verbs.map(({ name }) => name).join(", ");
        throw new LineError(
          "UnknownCommand",
          `A ${kind.name} has no ${verb}; there are: ${names}.`,
        );
      }
      const words = given.words === undefined ? [] : [given.words as string];
      const args = isAll ? words : [key, ...words];
      return [{ noun: kind.noun, verb, args, flags: given.flags as Given }];
    }),
};

const pay: Tool = {
  name: "pay",
  description:
    "A payment of an invoice, bill or expense from or to a bank account; a credit note, prepayment or overpayment applied to an invoice, or paid back by account.",
  takes: () => ({
    handle: must(handle),
    account: text("bank account, code or name"),
    invoice: text("number of the invoice or bill that a credit is applied to"),
    amount: { type: "number", description: "what is due when not given" },
    date: text("a day"),
    reference: text("of the payment"),
    ...keyed,
  }),
  run: (desk, given) =>
    planned(desk, `pay ${given.handle}`, given, async () => {
      const { kind, key } = readHandle(desk.kinds, given.handle as string);
      const { account, invoice, amount, date, reference } = given;
      if (kind.name === "invoice" || kind.name === "bill") {
        const flags = { account, amount, date, reference };
        return [{ noun: ["payment"], verb: "apply", args: [key], flags }];
      }
      const verb = kind.name === "expense" ? "pay" : invoice === undefined ? "refund" : "allocate";
      const flags = { account, invoice, amount, date, reference };
      return [{ noun: kind.noun, verb, args: [key], flags }];
    }),
};

const file = {
  name: must(text("name of the file")),
  content: must(text("its bytes in base64, at most 5 MB")),
};

/** Writes the file of a call. @throws LineError `BadFile` */
function putFile(folder: Folder, { name, content }: Given): Promise<string> {
  const bytes = Buffer.from(String(content), "base64");
  const isPlain = /^[\w .()-]+$/u.test(String(name)) && !String(name).endsWith(".plan");
  if (isPlain && bytes.length > 0 && bytes.length <= fileMax) {
    return folder.put(String(name), bytes);
  }
  const message = "A file has a plain name, and 1 byte to 5 MB of content in base64.";
  throw new LineError("BadFile", message);
}

const attach: Tool = {
  name: "attach",
  description: "A file on a record.",
  takes: () => ({ handle: must(handle), ...file, ...keyed }),
  run: (desk, given) =>
    planned(desk, `attach to ${given.handle}`, given, async (folder) => {
      const path = await putFile(folder, given);
      return [{ noun: ["attachment"], verb: "add", args: [path], own: [`--on=${given.handle}`] }];
    }),
};

const bankImport: Tool = {
  name: "bank_import",
  description: "A statement of a bank, as its file: OFX, CAMT, MT940, QIF, CSV …",
  takes: () => ({ account: must(text("code or name of the bank account")), ...file, ...keyed }),
  run: (desk, given) =>
    planned(desk, `bank import ${given.account}`, given, async (folder) => {
      const path = await putFile(folder, given);
      const own = [`--account=${given.account}`];
      return [{ noun: ["bank"], verb: "import", args: [path], own }];
    }),
};

const bankReconcile: Tool = {
  name: "bank_reconcile_plan",
  description:
    "What lines of a bank statement are, as one plan: each with documents it pays, or flags such as account, tax, contact, transfer, payment, transaction.",
  takes: () => ({
    lines: must({
      type: "array",
      minItems: 1,
      maxItems: 50,
      items: {
        type: "object",
        properties: {
          line: text("L-10"),
          documents: { type: "array", items: { type: "string" } },
          flags: { type: "object" },
        },
        required: ["line"],
      },
    }),
    ...keyed,
  }),
  run: (desk, given) =>
    planned(desk, "bank reconcile", given, async () =>
      (given.lines as { line: string; documents?: string[]; flags?: Given }[]).map(
        ({ line, documents = [], flags }) => {
          const args = [line.replace(/^bank-line:/, ""), ...documents];
          return { noun: ["bank"], verb: "match", args, flags };
        },
      ),
    ),
};

const closePlan: Tool = {
  name: "close_plan",
  description: "A month or a financial year closed, or a tax return of a period published.",
  takes: () => ({
    period: must(period),
    year: { type: "boolean", description: "the financial year" },
    tax_return: { type: "string", enum: ["gst", "bas", "vat", "gst-hst", "gst-f5", "vat201"] },
    ...keyed,
  }),
  run: (desk, given) =>
    planned(desk, `close ${given.period}`, given, async () => {
      const { period, tax_return: form } = given as { period: string; tax_return?: string };
      if (form === undefined) {
        const own = given.year === true ? ["--year"] : [];
        return [{ noun: ["close"], args: [period], own }];
      }
      return [{ noun: ["report"], verb: form, flags: { period }, own: ["--publish"] }];
    }),
};

const undoPlan: Tool = {
  name: "undo_plan",
  description: "What an operation did, taken back; history has the numbers of operations.",
  takes: () => ({ operation: must(text("its number")), ...keyed }),
  run(desk, given) {
    const path = `/Extensions/Operations/${encodeURIComponent(given.operation as string)}/Undo`;
    return keep(desk, "undo", given, `${path}?keep=true`, async () => []);
  },
};

const planKey = must(text("plan:7"));
const numberOf = ({ plan }: Given) => String(plan).replace(/^plan:/, "");

const plans: Tool = {
  name: "plans",
  reads: true,
  description: "Plans that the service keeps, with their states.",
  takes: () => ({
    state: { type: "string", enum: ["WAITING", "APPROVED", "APPLIED", "WITHDRAWN", "OUTDATED"] },
    maker: text("part of the name of a person, app or agent"),
  }),
  async run({ program }, { state, maker }) {
    const own = [
      "--limit=50",
      "--columns=Number,State,Summary,Amount,Needs,MadeBy,MadeAtUTC,AppName,Agent,Command",
    ];
    const line = { noun: ["plan"], verb: "list", flags: { state, maker }, own };
    const kept = rowsOf(await read(program, line)) as Plan[];
    return {
      plans: kept.map(({ Number: number, ...each }) => ({ handle: `plan:${number}`, ...each })),
    };
  },
};

const planShow: Tool = {
  name: "plan_show",
  reads: true,
  description: "All that a plan would do: every field that it sets, journals, balances and tax.",
  takes: () => ({ plan: planKey }),
  async run({ program }, given) {
    const plan = await planAt(program, numberOf(given));
    return {
      ...summary(plan),
      records: plan.Records?.map(
        ({ Change, Resource, RecordID, Name = RecordID, Before, After }) => ({
          change: [Change, Resource, Name],
          ...changed(Before, After),
        }),
      ),
      journals: plan.Journals,
      taxes: plan.Taxes,
      approvals: plan.Approvals,
    };
  },
};

/** Fields that a plan sets in a record, and the former values of those that it changes. */
function changed(Before = "{}", After = "{}"): object {
  const [was, is] = [JSON.parse(Before), JSON.parse(After)] as [Given, Given];
  const differ = (a: Given, b: Given) =>
    Object.fromEntries(
      Object.entries(a).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(b[name]),
      ),
    );
  return { before: differ(was, is), after: differ(is, was) };
}

const planWithdraw: Tool = {
  name: "plan_withdraw",
  description: "Takes back a plan of yours that waits.",
  takes: () => ({ plan: planKey }),
  async run({ program }, given) {
    const key = numberOf(given);
    await carryOut(program, { noun: ["plan"], verb: "withdraw", args: [key] }, ["--yes"]);
    return summary(await planAt(program, key));
  },
};

const apply: Tool = {
  name: "apply",
  description:
    "Does what a plan shows: once a person has approved it, or as far as your policy goes.",
  takes: () => ({ plan: planKey }),
  async run({ program }, given) {
    const key = numberOf(given);
    const { State, MadeBy, AppName } = await planAt(program, key);
    // An app that works by itself is bound by its policy, which the service knows.
    if (State === "WAITING" && MadeBy !== AppName) {
      const message = `Plan ${key} waits: a person approves it by acct plan approve ${key}.`;
      throw new LineError("NotApproved", message);
    }
    await carryOut(program, { noun: ["plan"], verb: "apply", args: [key] }, ["--yes"]);
    return summary(await planAt(program, key));
  },
};

export const planTools: readonly Tool[] = [
  create,
  update,
  transition,
  pay,
  attach,
  bankImport,
  bankReconcile,
  closePlan,
  undoPlan,
  plans,
  planShow,
  planWithdraw,
  apply,
];
