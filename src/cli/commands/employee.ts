/** `acct employee`: people whom the organisation employs. */
import { type EmployeeInput, employee } from "../../resources/employee.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Child } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { fieldsGiven } from "../framework/input.ts";
import { listCommand } from "../shared/list.ts";
import { nounOf, showCommand, updateFound } from "../shared/verbs.ts";

const url = employee.fields.ExternalLink.fields.Url;
const urlFlag = { help: "a page about them elsewhere" };

const createCommand = command("create", "add an employee")
  .alias("new")
  .fields(employee, ["FirstName", "LastName"], {
    FirstName: { required: true },
    LastName: { required: true },
  })
  .field("url", url, urlFlag)
  .example("acct employee create --first-name Ana --last-name Reid")
  .action(async (ctx, { url: Url, ...options }) => {
    const client = await ctx.client();
    await ctx.out.record(employee, await client.create(employee, inputOf(options, Url)));
  });

const updateCommand = command("update", "change an employee")
  .alias("edit")
  .key(employee)
  .fields(employee, ["FirstName", "LastName", "Status"])
  .field("url", url, urlFlag)
  .note("What is not given stays as it is.")
  .example("acct employee update Reid --status ARCHIVED")
  .action(async (ctx, key, { url: Url, ...options }) => {
    const input = inputOf(options, Url);
    if (Object.keys(input).length === 0) {
      throw new UsageError(
        "MissingValue",
        "Nothing to change was given; see --help for what can be.",
      );
    }
    const client = await ctx.client();
    await updateFound(ctx, employee, await client.find(employee, key), input);
  });

function inputOf(options: object, Url: string | undefined): EmployeeInput {
  return {
    ...fieldsGiven(employee, options),
    ...(Url === undefined ? {} : { ExternalLink: { Url } }),
  };
}

export const employeeVerbs: readonly Child[] = [
  listCommand({ resource: employee, examples: ["acct employee list --status ACTIVE"] }),
  showCommand(nounOf(employee)),
  createCommand,
  updateCommand,
];
