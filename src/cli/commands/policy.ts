/** `acct policy`: what apps, people and agents may do beyond their role. */

import type { ListedPolicy } from "../../admin/app-policies.ts";
import type { AdminDependencies } from "../../admin/apps.ts";
import { UsageError } from "../../resources/errors.ts";
import { choice, date, money, resource, text } from "../../resources/field.ts";
import { resources } from "../../resources/index.ts";
import { servedPath } from "../connection/book-path.ts";
import { type Child, type Context, personOf } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { readWords } from "../values/read-words.ts";

const fields = {
  Name: text({ always: true, key: true }),
  May: choice(["read", "plan", "apply"], { always: true }),
  Kinds: text(),
  PerDocument: money(),
  PerPlan: money(),
  PerDay: money(),
  ApproveBy: text(),
  Until: date(),
  Organisation: text({ help: "all of them where it is empty" }),
} as const;

const policy = resource("Policy", fields, {
  plural: "Policies",
  id: "Name",
  columns: Object.keys(fields) as (keyof typeof fields)[],
  noun: "policy",
  summary: "what apps, people and agents may do",
});

const policyRow = (listedPolicy: ListedPolicy) => ({
  Name: listedPolicy.name,
  May: listedPolicy.may,
  Kinds: listedPolicy.kinds?.join(","),
  PerDocument: listedPolicy.perDocument as never,
  PerPlan: listedPolicy.perPlan as never,
  PerDay: listedPolicy.perDay as never,
  ApproveBy: listedPolicy.approveBy,
  Until: listedPolicy.until,
  Organisation: listedPolicy.organisation,
});

const administration = () => import("../../admin/app-policies.ts");

const dependenciesOf = async (ctx: Context): Promise<AdminDependencies> => ({
  path: await servedPath(ctx, "acct policy"),
  clock: ctx.clock,
  operator: personOf(ctx),
});

const who = "app by name or client id, person by email address, or agent:NAME as it calls itself";
const organisationWords = "of this organisation alone, by name or id";
const wordFlag = { placeholder: "NAME", read: (given: string) => given } as const;
const kinds = [
  ...new Set(resources.flatMap(({ noun, nouns = {} }) => [noun, ...Object.values(nouns)])),
];

const set = command("set", "say what an app, a person or an agent may do")
  .alters()
  .argument("WHO", who)
  .answers(policy)
  .flag("organisation", organisationWords, wordFlag)
  .field("may", fields.May, {
    help: "read: write nothing; plan: propose; apply: do plans within the amounts",
  })
  .flag("kinds", "kinds of records it writes, such as invoice,bill,payment", {
    placeholder: "LIST",
    read: (given) => readWords("kinds", kinds, given.replaceAll("-", " ")),
  })
  .field("per-document", fields.PerDocument, {
    help: "gross, in the base currency; beyond it a person approves",
  })
  .field("per-plan", fields.PerPlan, { help: "of all in a plan" })
  .field("per-day", fields.PerDay, { help: "of all that it applies in a day, without approval" })
  .flag("approve-by", "role or email address of who approves", wordFlag)
  .field("until", fields.Until, { help: "last day; it reads only after it" })
  .note(
    "It takes the place of the earlier policy. Of app and person the narrower counts. Who is bound writes by plans alone: POST " +
      "/Extensions/Plans. An agent reads only until a policy of it says more.",
  )
  .example("acct policy set Helper --may plan")
  .example(
    "acct policy set Helper --may apply --kinds bill,payment --per-document 500 --per-day 5000 --approve-by adviser",
  )
  .action(async (ctx, key, { organisation, may, kinds, ...rest }) => {
    if (may === undefined) throw new UsageError("MissingValue", "Say --may read, plan or apply.");
    const dependencies = await dependenciesOf(ctx);
    const { perDocument, perPlan, perDay, approveBy, until } = rest;
    const settings = { may, kinds, perDocument, perPlan, perDay, approveBy, until };
    if (ctx.flags.dryRun) return ctx.out.say(`The policy of ${key} would be set.`);
    const [made] = await (await administration()).setPolicy(
      dependencies,
      key,
      organisation,
      settings,
    );
    if (made !== undefined) await ctx.out.record(policy, policyRow(made));
  });

const show = command("show", "show a policy")
  .argument("WHO", who)
  .answers(policy)
  .flag("organisation", organisationWords, wordFlag)
  .example("acct policy show Helper")
  .action(async (ctx, key, { organisation }) => {
    const { findPolicy } = await administration();
    const [found] = await findPolicy(await dependenciesOf(ctx), key, organisation);
    if (found !== undefined) await ctx.out.record(policy, policyRow(found));
  });

const list = command("list", "list the policies")
  .alias("ls")
  .answers(policy)
  .example("acct policy list")
  .action(async (ctx) => {
    const policies = await (await administration()).listPolicies(await dependenciesOf(ctx));
    await ctx.out.records(policy, policies.map(policyRow));
  });

const remove = command("remove", "remove a policy")
  .alters()
  .alias("delete")
  .argument("WHO", who)
  .flag("organisation", organisationWords, wordFlag)
  .example("acct policy remove Helper --yes")
  .action(async (ctx, key, { organisation }) => {
    const { findPolicy, removePolicy } = await administration();
    const dependencies = await dependenciesOf(ctx);
    const [found] = await findPolicy(dependencies, key, organisation);
    await confirm(ctx, `Remove the policy of ${found?.name}?`);
    if (ctx.flags.dryRun) return ctx.out.say(`The policy of ${found?.name} would be removed.`);
    await removePolicy(dependencies, key, organisation);
    ctx.out.say(`Removed the policy of ${found?.name}.`);
  });

export const policyVerbs: readonly Child[] = [set, show, list, remove];
