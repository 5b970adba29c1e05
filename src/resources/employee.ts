/** Employees of an organisation, as far as expenses and older clients refer to them. */
import {
  choice,
  type Input,
  id,
  one,
  resource,
  type Shape,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";

export const employee = resource(
  "Employee",
  () => ({
    EmployeeID: id({ always: true }),
    Status: choice(["ACTIVE", "ARCHIVED", "GDPRREQUEST", "DELETED"], {
      default: "ACTIVE",
      always: true,
      filter: true,
    }),
    FirstName: text({ max: 255, required: true, filter: true, oneLine: true }),
    LastName: text({ max: 255, required: true, key: true, filter: true }),
    ExternalLink: one({ Url: text({ max: 2048 }) }),
    UpdatedDateUTC: timestamp({ readOnly: true, always: true }),
  }),
  {
    plural: "Employees",
    id: "EmployeeID",
    ...usualAccess,
    history: false,
    paged: "asked",
    columns: ["FirstName", "LastName", "Status", "ExternalLink.Url"],
    listOrder: "LastName ASC",
    noun: "employee",
    example: "Reid",
    summary: "people whom the organisation employs",
  },
);

export type Employee = Shape<typeof employee>;
export type EmployeeInput = Input<typeof employee>;
