/** `acct employee`: employees of the organisation. */
import { type EmployeeInput, employee } from "../../resources/employee.ts";
import type { Child } from "../context/context.ts";
import { fieldFlag, fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions } from "../framework/input.ts";
import { listCommand } from "../shared/list-verb.ts";
import { createVerb, deleteCommand, nounOf, showCommand, updateVerb } from "../shared/verbs.ts";

const noun = nounOf(employee);
const nameFields = fieldsOf(employee, { except: ["Status"] });
const { Url } = employee.fields.ExternalLink.fields;
const flags = [fieldFlag("Url", Url, { help: "a page about them elsewhere" })];

function inputOf(flags: { readonly Url?: string }): EmployeeInput {
  const { Url } = flags;
  return {
    ...fieldsInOptions(employee, flags),
    ...(Url === undefined ? {} : { ExternalLink: { Url } }),
  };
}

export const employeeVerbs: readonly Child[] = [
  listCommand({ resource: employee, examples: ["acct employee list --status ACTIVE"] }),
  showCommand(noun),
  createVerb(noun, {
    summary: "add an employee",
    fields: nameFields,
    options: { FirstName: { required: true }, LastName: { required: true } },
    flags,
    said: inputOf,
    examples: ["acct employee create --first-name Ana --last-name Reid"],
  }),
  updateVerb(noun, {
    summary: "change an employee",
    fields: [...nameFields, "Status"],
    flags,
    said: inputOf,
    notes: ["What is not given stays as it is."],
    examples: ["acct employee update Reid --status ARCHIVED"],
  }),
  deleteCommand(noun, { change: () => ({ Status: "DELETED" }) }),
];
