/** `acct audit`: the log of administration: principal, action, time and origin. */
import { auditEntry, auditKinds, auditSubjects } from "../../resources/audit-entry.ts";
import { pathOf } from "../../resources/field.ts";
import type { Child, Flag } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { fieldFlag } from "../framework/flags.ts";
import { momentFlags } from "../shared/filters.ts";
import { listCommand } from "../shared/list-verb.ts";
import { readWords } from "../values/read-words.ts";

const kinds = [...auditSubjects, ...Object.keys(auditKinds)];

/** Filter flags, named by the query parameters of the service. */
const filters: readonly Flag[] = [
  ...momentFlags,
  {
    ...fieldFlag("person", { kind: "text" }, { help: "" }),
    key: "person",
    placeholder: "WHO",
    help: "part of a name or an address, of who did it or to whom",
  },
  {
    ...fieldFlag("app", { kind: "text" }, { help: "" }),
    key: "app",
    placeholder: "NAME",
    help: "part of the name of the app, or of what an agent calls itself",
  },
  {
    ...fieldFlag("kind", { kind: "text" }, { help: "" }),
    key: "kind",
    placeholder: "LIST",
    help: `of what: ${auditSubjects.join(", ")}; or exactly, such as sign-in.failed`,
    values: kinds,
    read: (text) => readWords("kind", kinds, text).join(","),
  },
];

const list = listCommand({
  resource: auditEntry,
  summary: "list acts of administration, the latest first",
  flags: filters,
  parameters: async (_ctx, options): Promise<Record<string, string>> => {
    const parameters = filters.flatMap(({ key }): [string, string][] => {
      const value = options[key];
      if (value === undefined) return [];
      return [[key, typeof value === "number" ? new Date(value).toISOString() : String(value)]];
    });
    return Object.fromEntries(parameters);
  },
  notes: [
    "Sign-ins, people, roles and passwords, apps and what they were allowed, webhooks, lock dates, " +
      "settings, branding, exports, backups, restores, copies and seals. Nothing in the program changes or " +
      "removes an entry, and the hash chain names one that was changed outside of it.",
    "What is done to records is in their own history: acct history list. On a served book the log is " +
      "for advisers. An extension.",
  ],
  examples: [
    "acct audit list --from -7d",
    "acct audit list --kind sign-in.failed,sign-in.locked --person ann@quay.example",
    "acct audit list --kind lock-date,organisation -o json",
  ],
});

const show = command("show", "show one audit entry, with what changed")
  .alias("view", "get")
  .answers(auditEntry)
  .argument("ENTRY", "its id, as the list has it")
  .example("acct audit show O2")
  .action(async (ctx, key) => {
    const path = `${pathOf(auditEntry)}/${encodeURIComponent(key)}`;
    const [entry] = await (await ctx.client()).at(auditEntry, path);
    if (entry !== undefined) await ctx.out.record(auditEntry, entry);
  });

export const auditVerbs: readonly Child[] = [list, show];
