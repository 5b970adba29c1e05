/**
 * A plan: requests that would change the books, with their effects, to be applied unchanged.
 *
 * It is made by executing the requests in a transaction that is rolled back. The server signs the
 * whole plan, so that only what was shown can be applied. Texts are stored verbatim, since they are
 * hashed.
 */
import {
  choice,
  date,
  id,
  integer,
  many,
  money,
  resource,
  type Shape,
  text,
  timestamp,
} from "./field.ts";

/** What may become of a plan that the service keeps. */
export const planStates = ["WAITING", "APPROVED", "APPLIED", "WITHDRAWN", "OUTDATED"] as const;
export type PlanState = (typeof planStates)[number];

const keptField = { readOnly: true } as const;

const requestFields = {
  Method: choice(["PUT", "POST", "DELETE"], { required: true }),
  Path: text({ required: true, verbatim: true, help: "below the API root, with its parameters" }),
  MediaType: text({ help: "of the body" }),
  Body: text({ verbatim: true }),
  Encoding: choice(["BASE64"], { help: "of a body that is no text" }),
} as const;

export const plan = resource(
  "Plan",
  () => ({
    PlanID: id({ always: true }),
    OrganisationID: id(),
    Command: text({ verbatim: true, help: "the command line that it was made by" }),
    MadeBy: text({ verbatim: true, help: "the person who made it" }),
    MadeAtUTC: timestamp(),
    ApproveBy: text({ help: "another person, without whose approval it is not applied" }),
    Undoes: id({ help: "the operation that it takes back" }),
    AppliedAtUTC: timestamp({ help: "when it was applied; nothing more is done then" }),
    Requests: many("Request", requestFields, { help: "what is sent, in this order" }),
    Records: many(
      "Record",
      {
        Resource: text({ required: true }),
        RecordID: text({ required: true }),
        Name: text({ verbatim: true, help: "by which people know it" }),
        Change: choice(["CREATED", "CHANGED", "REMOVED"], { required: true }),
        Before: text({ verbatim: true, help: "as JSON" }),
        After: text({ verbatim: true, help: "as JSON" }),
        Digest: text({ help: "of what of both the plan rests on" }),
      },
      { help: "records as they are and as they would be" },
    ),
    Journals: many(
      "Journal",
      {
        Date: date({ required: true }),
        Source: text({ help: "what makes it" }),
        Lines: many("Line", {
          AccountCode: text({ verbatim: true }),
          AccountName: text({ verbatim: true }),
          Description: text({ verbatim: true }),
          NetAmount: money({ always: true, help: "debit above zero" }),
          TaxAmount: money(),
        }),
      },
      { help: "what would be posted" },
    ),
    JournalsDigest: text({ help: "of the journals, and to whom is written" }),
    Accounts: many(
      "Account",
      {
        AccountCode: text({ verbatim: true }),
        AccountName: text({ verbatim: true }),
        Change: money({ always: true, help: "of its balance, debit above zero" }),
      },
      { help: "effect on the trial balance" },
    ),
    Taxes: many(
      "Tax",
      {
        TaxType: text(),
        TaxName: text({ verbatim: true }),
        Net: money({ always: true, help: "sales below zero" }),
        Tax: money({ always: true }),
      },
      { help: "effect on tax" },
    ),
    Messages: many(
      "Message",
      { To: text({ verbatim: true }), Subject: text({ verbatim: true }) },
      { help: "what would be sent by email" },
    ),
    Answers: many(
      "Answer",
      {
        Status: integer({ always: true }),
        MediaType: text(),
        Body: text({ verbatim: true }),
        Encoding: choice(["BASE64"]),
      },
      { help: "to the requests, when the plan is made or applied" },
    ),
    Approvals: many(
      "Approval",
      { User: text(), ApprovedAtUTC: timestamp() },
      { readOnly: true, help: "by whom it was approved, as the server knows it" },
    ),
    ContentDigest: text({ help: "of what the plan shows" }),
    Number: integer({ ...keptField, help: "by which people know a plan that the service keeps" }),
    State: choice(planStates, { ...keptField, help: "of a plan that the service keeps" }),
    Amount: money({ ...keptField, help: "gross, in the base currency" }),
    Digest: text({ ...keptField, help: "of all that is signed, which an approval names" }),
    Summary: text({ ...keptField, help: "what it does, in one line" }),
    Reason: text({ ...keptField, verbatim: true, help: "why it was refused" }),
    Needs: text({ ...keptField, help: "why a person has to approve it" }),
    AppName: text({ ...keptField, help: "the app by which it was made" }),
    Agent: text({ ...keptField, verbatim: true, help: "what the agent that made it calls itself" }),
    Signature: text({ help: "of the service, over everything but approvals and answers" }),
  }),
  {
    plural: "Plans",
    extension: true,
    id: "PlanID",
    paged: "enforced",
    columns: ["Number", "State", "MadeBy", "MadeAtUTC", "Amount", "Command"],
    noun: "plan",
    summary: "changes to be looked at before they are made",
  },
);

export type Plan = Shape<typeof plan>;
export type PlannedRequest = NonNullable<Plan["Requests"]>[number];
/** A request to try: a write, or a read of records that earlier requests created. */
export type TriedRequest = Omit<PlannedRequest, "Method"> & {
  readonly Method: PlannedRequest["Method"] | "GET";
};
export type PlannedRecord = NonNullable<Plan["Records"]>[number];
export type PlannedJournal = NonNullable<Plan["Journals"]>[number];
