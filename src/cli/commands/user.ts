/** `acct user`: users of the book, and their access to a served book. */
import type { MadeLink, Role, RoleUser } from "../../admin/users.ts";
import { UsageError } from "../../resources/errors.ts";
import { choice, id, resource, text } from "../../resources/field.ts";
import { user } from "../../resources/user.ts";
import { bookPath, servedPath } from "../connection/book-path.ts";
import { type Child, type Context, personOf } from "../context/context.ts";
import { passwordOf } from "../framework/ask.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { listCommand } from "../shared/list-verb.ts";
import { nounOf, showCommand } from "../shared/verbs.ts";

const roles = [
  "adviser",
  "standard",
  "standard-without-reports",
  "invoice-only",
  "read-only",
] as const;

const fields = {
  UserID: id({ always: true }),
  EmailAddress: text({ always: true, key: true }),
  Name: text({ always: true }),
  Role: choice(roles, { always: true }),
} as const;

const member = resource("Member", fields, {
  plural: "Members",
  id: "UserID",
  columns: ["EmailAddress", "Name", "Role"],
  noun: "user",
  summary: user.summary,
});

const invited = {
  ...member,
  fields: { ...fields, Link: text() },
  columns: [...member.columns, "Link"],
};

const userAdmin = () => import("../../admin/users.ts");

function toShownUser({ id: UserID, email: EmailAddress, name: Name, role: Role }: RoleUser) {
  return { UserID, EmailAddress, Name, Role };
}

/** Returns the organisation of the command, since roles are assigned per organisation. */
async function tenantDependencies(ctx: Context, verb: string) {
  const path = await bookPath(ctx, `acct user ${verb}`);
  return { path, clock: ctx.clock, operator: personOf(ctx) };
}

/** Returns the public address of the server, to which links lead. @throws UsageError */
function addressOf({ flags }: Context): string {
  if (flags.publicUrl !== undefined) return flags.publicUrl;
  const message =
    "A link leads to the address under which people reach the server: name it with --public-url.";
  throw new UsageError("BadFlags", message);
}

function sayLink({ out }: Context, { email, isMailed, until, fault }: MadeLink): void {
  if (fault !== undefined) out.say(fault);
  const good = `it is good once, until ${new Date(until).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  out.say(
    isMailed
      ? `A link to choose a password was mailed to ${email}; ${good}.`
      : `Give the link to ${email} yourself: ${good}.`,
  );
}

const stdinHelp = "read the password from standard input";

const addCommand = command("add", "let somebody sign in to the served book")
  .alters()
  .answers(invited)
  .argument("EMAIL", "the address with which they sign in")
  .field("role", fields.Role, { help: "what they may do", required: true })
  .flag("name", "how history calls them; what stands before the @ when not given", {
    placeholder: "NAME",
  })
  .switch("password-stdin", stdinHelp)
  .switch("invite", "let them choose a password by a link, which is good for 7 days")
  .note(
    "The password is asked for without showing it. Who works for another organisation of the same " +
      "server already keeps theirs, and is asked for none.",
  )
  .note(
    "--invite mails the link by the server of ACCT_SMTP_URL; without one it is printed, to be given to " +
      "them. It leads to the page of acct serve at --public-url.",
  )
  .note(
    "adviser: everything. standard: everything too. standard-without-reports: everything but " +
      "reports and journals. invoice-only: sales invoices, quotes and contacts. read-only: sees " +
      "everything, changes nothing.",
  )
  .example(
    "acct user add ana@heron.example --name 'Ana Reid' --role adviser --password-stdin < password.txt",
  )
  .example("pass ana | acct user add ana@x.example --role standard --password-stdin")
  .example(
    "acct user add ana@x.example --role standard --invite --public-url https://books.example",
  )
  .action(async (ctx, email, { role, name, passwordStdin, invite: isInvited }) => {
    if (isInvited && passwordStdin) {
      throw new UsageError("BadFlags", "Give --invite or --password-stdin, not both.");
    }
    const origin = isInvited ? addressOf(ctx) : "";
    const dependencies = await tenantDependencies(ctx, "add");
    const { isKnown, addMember, sendLink } = await userAdmin();
    // The parser requires the role.
    const wanted = role as Role;
    if (ctx.flags.dryRun) return ctx.out.say(`${email} would be added as ${wanted}.`);
    const isNew = !(await isKnown(dependencies, email));
    const password =
      (isNew && !isInvited) || passwordStdin === true
        ? await passwordOf(ctx, passwordStdin === true)
        : undefined;
    const added = await addMember(dependencies, { email, name, role: wanted, password, isInvited });
    if (!isInvited || !isNew) return ctx.out.record(invited, toShownUser(added));
    const wish = { purpose: "invitation", origin } as const;
    const link = await sendLink(dependencies, added.id, wish, ctx.env.ACCT_SMTP_URL);
    await ctx.out.record(invited, {
      ...toShownUser(added),
      ...(link.isMailed ? {} : { Link: link.url }),
    });
    sayLink(ctx, link);
  });

const roleCommand = command("role", "give somebody another role")
  .alters()
  .answers(member)
  .argument("EMAIL", "who, by address or id")
  .argument("ROLE", "what they may do from now on", { values: roles })
  .example("acct user role ana@heron.example read-only")
  .action(async (ctx, key, role) => {
    const wantedRole = role as Role;
    const dependencies = await tenantDependencies(ctx, "role");
    const { findMember, changeRole } = await userAdmin();
    const user = await findMember(dependencies, key);
    if (ctx.flags.dryRun) return ctx.out.say(`${user.email} would be ${role}.`);
    await ctx.out.record(member, toShownUser(await changeRole(dependencies, user.id, wantedRole)));
  });

const passwordCommand = command("password", "give somebody another password")
  .alters()
  .argument("EMAIL", "who, by address or id")
  .switch("password-stdin", stdinHelp)
  .note(
    "Whatever was signed in with the one before is signed out, in browsers and in apps: they sign in " +
      "again. Access tokens are refused within two seconds.",
  )
  .example("acct user password ana@heron.example --password-stdin < password.txt")
  .action(async (ctx, key, { passwordStdin }) => {
    const path = await servedPath(ctx, "acct user password");
    const dependencies = { path, clock: ctx.clock, operator: personOf(ctx) };
    const { findPerson, changePassword } = await userAdmin();
    const { id: personId, email } = await findPerson(dependencies, key);
    if (ctx.flags.dryRun) return ctx.out.say(`${email} would get another password.`);
    await changePassword(dependencies, personId, await passwordOf(ctx, passwordStdin === true));
    ctx.out.say(`${email} has another password, and is signed out everywhere.`);
  });

const resetCommand = command("reset", "give somebody a link to choose another password")
  .alters()
  .argument("EMAIL", "who, by address or id")
  .note(
    "The link is good once, for 30 minutes, and mailed by the server of ACCT_SMTP_URL; without one it is " +
      "printed. The password stays until they have chosen another, which ends every sign-in of theirs.",
  )
  .switch("second-factor", "take the second factor off instead, for who has lost it")
  .example("acct user reset ana@heron.example --public-url https://books.example")
  .action(async (ctx, key, { secondFactor }) => {
    const origin = secondFactor ? "" : addressOf(ctx);
    const path = await servedPath(ctx, "acct user reset");
    const dependencies = { path, clock: ctx.clock, operator: personOf(ctx) };
    const { findPerson, sendLink, endSecondFactor } = await userAdmin();
    const { id: personId, email } = await findPerson(dependencies, key);
    if (secondFactor) {
      if (ctx.flags.dryRun) return ctx.out.say(`${email} would have no second factor.`);
      await endSecondFactor(dependencies, personId);
      return ctx.out.say(
        `${email} has no second factor any more: the password alone signs them in.`,
      );
    }
    if (ctx.flags.dryRun) return ctx.out.say(`${email} would get a link.`);
    const wish = { purpose: "reset", origin } as const;
    const link = await sendLink(dependencies, personId, wish, ctx.env.ACCT_SMTP_URL);
    await ctx.out.value(link, link.isMailed ? email : link.url);
    sayLink(ctx, link);
  });

const unlockCommand = command("unlock", "look at somebody's passwords again")
  .alters()
  .argument("EMAIL", "who, by address or id")
  .note(
    "After 100 wrong passwords in a row from all places together, the person is let in only with a browser " +
      "in which they have signed in before, until they choose another password. This ends it.",
  )
  .example("acct user unlock ana@heron.example")
  .action(async (ctx, key) => {
    const path = await servedPath(ctx, "acct user unlock");
    const dependencies = { path, clock: ctx.clock, operator: personOf(ctx) };
    const { findPerson, unlock } = await userAdmin();
    const { id: personId, email } = await findPerson(dependencies, key);
    if (ctx.flags.dryRun) return ctx.out.say(`${email} would be unlocked.`);
    await unlock(dependencies, personId);
    ctx.out.say(`${email} is unlocked.`);
  });

const removeCommand = command("remove", "let somebody sign in no longer")
  .alters()
  .alias("delete")
  .argument("EMAIL", "who, by address or id")
  .note("Apps can do nothing more in their name. Asks first; without a terminal, give --yes.")
  .example("acct user remove ana@heron.example --yes")
  .action(async (ctx, key) => {
    const dependencies = await tenantDependencies(ctx, "remove");
    const { findMember, removeMember } = await userAdmin();
    const { id: personId, email } = await findMember(dependencies, key);
    await confirm(ctx, `Remove ${email}?`);
    if (ctx.flags.dryRun) return ctx.out.say(`${email} would be removed.`);
    await removeMember(dependencies, personId);
    ctx.out.say(`Removed ${email}.`);
  });

export const userVerbs: readonly Child[] = [
  listCommand({ resource: user, examples: ["acct user list"] }),
  showCommand(nounOf(user)),
  addCommand,
  roleCommand,
  passwordCommand,
  resetCommand,
  unlockCommand,
  removeCommand,
];
