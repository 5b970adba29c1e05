/** `acct user`: users of the book, and their access to a served book. */
import type { Role, RoleUser } from "../../admin/users.ts";
import { choice, id, resource, text } from "../../resources/field.ts";
import { user } from "../../resources/user.ts";
import { bookPath, servedPath } from "../connection/book-path.ts";
import { type Child, type Context, personOf } from "../context/context.ts";
import { passwordOf } from "../framework/ask.ts";
import { command } from "../framework/command.ts";
import { confirmed } from "../framework/confirm.ts";
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

const userAdmin = () => import("../../admin/users.ts");

function shown({ id: UserID, email: EmailAddress, name: Name, role: Role }: RoleUser) {
  return { UserID, EmailAddress, Name, Role };
}

/** Returns the organisation of the command, since roles are assigned per organisation. */
async function tenantDependencies(ctx: Context, verb: string) {
  const path = await bookPath(ctx, `acct user ${verb}`);
  return { path, clock: ctx.clock, operator: personOf(ctx) };
}

const stdinHelp = "read the password from standard input";

const addCommand = command("add", "let somebody sign in to the served book")
  .alters()
  .answers(member)
  .argument("EMAIL", "the address with which they sign in")
  .field("role", fields.Role, { help: "what they may do", required: true })
  .flag("name", "how history calls them; what stands before the @ when not given", {
    placeholder: "NAME",
  })
  .switch("password-stdin", stdinHelp)
  .note(
    "The password is asked for without showing it. Who works for another organisation of the same " +
      "server already keeps theirs, and is asked for none.",
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
  .action(async (ctx, email, { role, name, passwordStdin }) => {
    const dependencies = await tenantDependencies(ctx, "add");
    const { isKnown, addMember } = await userAdmin();
    // The parser requires the role.
    const wanted = role as Role;
    if (ctx.flags.dryRun) return ctx.out.say(`${email} would be added as ${wanted}.`);
    const isNew = !(await isKnown(dependencies, email));
    const password =
      isNew || passwordStdin === true ? await passwordOf(ctx, passwordStdin === true) : undefined;
    const added = await addMember(dependencies, { email, name, role: wanted, password });
    await ctx.out.record(member, shown(added));
  });

const roleCommand = command("role", "give somebody another role")
  .alters()
  .answers(member)
  .argument("EMAIL", "who, by address or id")
  .argument("ROLE", "what they may do from now on", { values: roles })
  .example("acct user role ana@heron.example read-only")
  .action(async (ctx, key, role) => {
    const wanted = role as Role;
    const dependencies = await tenantDependencies(ctx, "role");
    const { findMember, changeRole } = await userAdmin();
    const user = await findMember(dependencies, key);
    if (ctx.flags.dryRun) return ctx.out.say(`${user.email} would be ${role}.`);
    await ctx.out.record(member, shown(await changeRole(dependencies, user.id, wanted)));
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

const unlockCommand = command("unlock", "look at somebody's passwords again")
  .alters()
  .argument("EMAIL", "who, by address or id")
  .note(
    "After 100 wrong passwords in a row from all places together, only places where the person has " +
      "signed in before are looked at, for a day. This ends it.",
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
    await confirmed(ctx, `Remove ${email}?`);
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
  unlockCommand,
  removeCommand,
];
