/** A tracking category (say, Region) and its options (North, South). */
import { boolean, choice, id, many, resource, type Shape, text } from "./field.ts";

const statuses = ["ACTIVE", "ARCHIVED", "DELETED"] as const;

export const trackingOption = resource(
  "Option",
  () => ({
    TrackingOptionID: id({ always: true }),
    Name: text({ max: 100, required: true, oneLine: true }),
    Status: choice(statuses, { default: "ACTIVE", always: true }),
    HasValidationErrors: boolean({ readOnly: true, computed: true }),
    IsDeleted: boolean({ readOnly: true, computed: true }),
    IsArchived: boolean({ readOnly: true, computed: true }),
    IsActive: boolean({ readOnly: true, computed: true }),
  }),
  {
    plural: "Options",
    id: "TrackingOptionID",
    collection: ["PUT"],
    record: ["POST", "DELETE"],
    batchMax: 100,
    columns: ["Name", "Status"],
    noun: "tracking option",
    summary: "options of a tracking category",
  },
);

export const trackingCategory = resource(
  "TrackingCategory",
  () => ({
    TrackingCategoryID: id({ always: true }),
    Name: text({ max: 100, required: true, key: true, filter: true }),
    Status: choice(statuses, { default: "ACTIVE", always: true, filter: true }),
    Options: many("Option", trackingOption.fields, { computed: true }),
  }),
  {
    plural: "TrackingCategories",
    id: "TrackingCategoryID",
    collection: ["GET", "PUT"],
    record: ["GET", "POST", "DELETE"],
    where: true,
    order: true,
    includeArchived: true,
    columns: ["Name", "Status"],
    listOrder: "Name ASC",
    noun: "tracking",
    example: "Studio",
    summary: "tracking categories and their options",
  },
);

export type TrackingCategory = Shape<typeof trackingCategory>;
export type TrackingOption = Shape<typeof trackingOption>;
