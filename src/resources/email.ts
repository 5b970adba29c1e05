/** Email that sends an invoice to its customer. An extension: the public API accepts no content. */
import { choice, type Input, resource, type Shape, text, texts } from "./field.ts";

/** Maximum number of recipients of a message. */
export const recipientsMax = 50;

export const email = resource(
  "Email",
  () => ({
    Status: choice(["SENT", "OUTBOX"], {
      readOnly: true,
      always: true,
      help: "OUTBOX: written to the outbox of the book and not sent, since there is no mail server",
    }),
    To: texts("Address", {
      help: "instead of the contact and its persons who are included in emails",
    }),
    Cc: texts("Address", { help: "besides them" }),
    Subject: text({ max: 255, min: 1 }),
    Message: text({ max: 4000, min: 1, verbatim: true, help: "instead of the usual words" }),
    File: text({ readOnly: true, help: "its name in the outbox" }),
  }),
  {
    plural: "Emails",
    id: "File",
    columns: ["Status", "To", "Cc", "Subject"],
    noun: "email",
    summary: "what is sent to a customer with an invoice",
  },
);

export type Email = Shape<typeof email>;
export type EmailInput = Input<typeof email>;
