/** /Employees: simple records of people, to which nothing else refers. */

import type { Employee } from "../../../resources/employee.ts";
import { refusal } from "../../../resources/errors.ts";
import { employee, user } from "../../../resources/index.ts";
import type { User } from "../../../resources/user.ts";
import { type Endpoint, type RecordWriter, readOnlyWriter } from "../../request/endpoint.ts";
import { recordFrom } from "../../request/merge.ts";

export const employees: Endpoint<Employee> = {
  resource: employee,
  writer: async () => employeeWriting,
};

const employeeWriting: RecordWriter<Employee> = {
  load: async () => undefined,

  decide({ call }, _work, entry) {
    const { existing, input } = entry;
    if (existing?.Status === "DELETED")
      throw refusal("Status", "A deleted employee cannot be changed.");
    const record = recordFrom<Employee>(employee, call, existing, input);
    if (existing === undefined && record.Status !== "ACTIVE") {
      throw refusal("Status", "A new employee is ACTIVE.");
    }
    entry.record = record;
    const isDeleted = record.Status === "DELETED";
    const changes = existing === undefined ? "Created" : isDeleted ? "Deleted" : "Edited";
    const details = `The employee ${record.FirstName} ${record.LastName} was ${changes.toLowerCase()}.`;
    entry.history.push({ changes, details });
  },
};

// --- /Users: people who work on the books, with their roles ---------------------------------------

export const users: Endpoint<User> = {
  resource: user,
  listOrder: "EmailAddress",
  writer: readOnlyWriter,
};
