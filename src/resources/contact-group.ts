/** Named groups of contacts, such as members or wholesalers. */
import { choice, id, many, resource, type Shape, text } from "./field.ts";

export const contactGroup = resource(
  "ContactGroup",
  () => ({
    ContactGroupID: id({ always: true }),
    Name: text({ max: 255, required: true, key: true, filter: true }),
    Status: choice(["ACTIVE", "DELETED"], { default: "ACTIVE", always: true, filter: true }),
    Contacts: many(
      "Contact",
      { ContactID: id({ always: true }), Name: text() },
      { readOnly: true, computed: true, shown: "single" },
    ),
  }),
  {
    plural: "ContactGroups",
    id: "ContactGroupID",
    collection: ["GET", "PUT"],
    record: ["GET", "POST"],
    batchMax: 100,
    where: true,
    order: true,
    columns: ["Name", "Status"],
    listOrder: "Name ASC",
    noun: "contact group",
    example: "Wholesalers",
    summary: "contacts under a name of their own",
  },
);

export type ContactGroup = Shape<typeof contactGroup>;
