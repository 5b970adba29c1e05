/** Users of the books. */
import { boolean, choice, id, resource, type Shape, text, timestamp } from "./field.ts";

export const organisationRoles = [
  "READONLY",
  "INVOICEONLY",
  "STANDARD",
  "FINANCIALADVISER",
  "MANAGEDCLIENT",
  "CASHBOOKCLIENT",
  "UNKNOWN",
  "REMOVED",
] as const;
export type OrganisationRole = (typeof organisationRoles)[number];

const alwaysSent = { readOnly: true, always: true } as const;

export const user = resource(
  "User",
  () => ({
    UserID: id(alwaysSent),
    EmailAddress: text({ ...alwaysSent, max: 255, key: true, filter: true }),
    FirstName: text({ readOnly: true, max: 255, filter: true }),
    LastName: text({ readOnly: true, max: 255, filter: true }),
    UpdatedDateUTC: timestamp(alwaysSent),
    IsSubscriber: boolean(alwaysSent),
    OrganisationRole: choice(organisationRoles, { ...alwaysSent, filter: true }),
  }),
  {
    plural: "Users",
    id: "UserID",
    collection: ["GET"],
    record: ["GET"],
    where: true,
    order: true,
    modifiedSince: true,
    columns: ["FirstName", "LastName", "EmailAddress", "OrganisationRole", "IsSubscriber"],
    listOrder: "EmailAddress ASC",
    noun: "user",
    example: "ana@heron.example",
    summary: "people who work on the books",
  },
);

export type User = Shape<typeof user>;
