/** /Employees: plain records of people; nothing in the books rests on them. */
import type { Employee } from "../../resources/employee.ts";
import { employee } from "../../resources/index.ts";
import { save } from "../../store/records.ts";
import type { Endpoint, Writing } from "../endpoint.ts";
import { refusal } from "../faults.ts";
import { merged, withDefaults } from "../merge.ts";

export const employees: Endpoint<Employee> = {
  resource: employee,
  writing: async () => employeeWriting,
};

const employeeWriting: Writing<Employee> = {
  load: async () => undefined,

  decide({ call }, _work, entry) {
    const { existing, input } = entry;
    if (existing?.Status === "DELETED") throw refusal(["A deleted employee cannot be changed."]);
    const record: Employee = {
      ...(existing === undefined
        ? withDefaults<Employee>(employee.fields, input)
        : merged(employee.fields, existing, input)),
      EmployeeID: existing?.EmployeeID ?? call.newId(),
      UpdatedDateUTC: call.now,
    };
    if (existing === undefined && record.Status !== "ACTIVE") {
      throw refusal(["A new employee is ACTIVE."]);
    }
    entry.record = record;
    const gone = record.Status === "DELETED";
    const changes = existing === undefined ? "Created" : gone ? "Deleted" : "Edited";
    const details = `The employee ${record.FirstName} ${record.LastName} was ${changes.toLowerCase()}.`;
    entry.history.push({ changes, details });
  },

  async keep({ tx }, _work, decided) {
    await save(
      tx,
      employee,
      decided.flatMap((entry) => entry.record ?? []),
    );
  },
};
