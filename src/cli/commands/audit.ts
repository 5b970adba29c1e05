/** `acct audit`: who administered what, when and from where. */
import { auditEntry, auditKinds, auditSubjects } from "../../resources/audit-entry.ts";
import { UsageError } from "../../resources/errors.ts";
import { command } from "../framework/command.ts";
import type { Child } from "../framework/context.ts";
import { readWords } from "../values/words.ts";
import { nounOf, showCommand } from "./shared/verbs.ts";

const kinds = [...auditSubjects, ...Object.keys(auditKinds)];
/** Entries shown when nothing is said about how many. */
const shownMax = 100;
const count = { kind: "integer", min: 1, max: 1_000_000_000 } as const;

const listCommand = command("list", "list acts of administration, newest first")
  .alias("ls")
  .answers(auditEntry)
  .field("since", { kind: "timestamp" }, { help: "from this moment on" })
  .field("until", { kind: "timestamp" }, { help: "before this moment" })
  .flag("person", {
    placeholder: "WHO",
    help: "part of a name or an address, of who did it or to whom",
  })
  .flag("kind", {
    placeholder: "LIST",
    help: `of what: ${auditSubjects.join(", ")}; or exactly, such as sign-in.failed`,
    values: kinds,
    read: (text) => readWords("kind", kinds, text),
  })
  .field("page", count, { help: "one page alone, 100 entries, from 1" })
  .field("limit", count, { help: `at most so many; ${shownMax} when not given` })
  .switch("all", "every one")
  .note(
    "Sign-ins, people, roles and passwords, apps and what they were allowed, webhooks, lock dates, " +
      "settings, branding, exports, backups, restores, copies and seals. Nothing in the program " +
      "changes or removes an entry, and the hash chain names one that was changed outside of it.",
  )
  .note(
    "What is done to records is in their own history: acct history list. On a served book the log is " +
      "for advisers. An extension.",
  )
  .example("acct audit list --since -7d")
  .example("acct audit list --kind sign-in.failed,sign-in.locked --person ann@quay.example")
  .example("acct audit list --kind lock-date,organisation -o json")
  .action(async (ctx, { since, until, person, kind, page, limit, all = false }) => {
    if (all && (limit !== undefined || page !== undefined)) {
      throw new UsageError("BadFlags", "--all asks for every entry; leave --limit and --page out.");
    }
    const asked = {
      since: since === undefined ? undefined : new Date(since).toISOString(),
      until: until === undefined ? undefined : new Date(until).toISOString(),
      person,
      kind: kind?.join(","),
    };
    const given = Object.entries(asked).filter(([, value]) => value !== undefined);
    const most = all || page !== undefined ? limit : (limit ?? shownMax);
    const records = (await ctx.client()).list(auditEntry, {
      parameters: Object.fromEntries(given) as Record<string, string>,
      page,
      limit: most,
    });
    await ctx.out.records(auditEntry, records);
    if (limit === undefined && page === undefined && records.more) {
      ctx.out.say(
        `These are the last ${shownMax} of ${records.itemCount}; --all shows every one, --limit N as many as you say.`,
      );
    }
  });

export const auditVerbs: readonly Child[] = [
  listCommand,
  showCommand(nounOf(auditEntry, { word: "audit", example: "O12" })),
];
