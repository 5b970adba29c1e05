/** The audit log: administrative acts with actor, origin and changes. */
import { choice, many, resource, type Shape, text, timestamp } from "./field.ts";

/**
 * The hash chains of audit entries: that of the organisation whose book is concerned, or that of
 * the server, whose users and apps may belong to several organisations.
 */
export const auditLogs = ["ORGANISATION", "SERVER"] as const;
export type AuditLog = (typeof auditLogs)[number];

interface KindOfAct {
  readonly log: AuditLog;
  /** Verb in the past tense, followed by the subject of the act. */
  readonly words: string;
}

/** All kinds of acts. The first word of a name is its subject, by which lists can be filtered. */
export const auditKinds = {
  "sign-in.succeeded": { log: "SERVER", words: "signed in" },
  "sign-in.failed": { log: "SERVER", words: "gave a wrong password for" },
  "sign-in.locked": { log: "SERVER", words: "guessed too often, and has to wait, for" },
  "session.ended": { log: "SERVER", words: "signed out" },
  "person.added": { log: "SERVER", words: "let in" },
  "person.changed": { log: "SERVER", words: "changed" },
  "person.role-changed": { log: "SERVER", words: "gave another role to" },
  "person.password-changed": { log: "SERVER", words: "changed the password of" },
  "person.link-made": { log: "SERVER", words: "made a link to choose a password for" },
  "person.second-factor-set": { log: "SERVER", words: "set up a second factor for" },
  "person.second-factor-removed": { log: "SERVER", words: "took off the second factor of" },
  "person.recovery-codes-made": { log: "SERVER", words: "made new recovery codes for" },
  "person.unlocked": { log: "SERVER", words: "unlocked" },
  "person.removed": { log: "SERVER", words: "removed" },
  "app.registered": { log: "SERVER", words: "registered the app" },
  "app.changed": { log: "SERVER", words: "changed the app" },
  "app.secret-changed": { log: "SERVER", words: "gave another secret to the app" },
  "app.token-issued": { log: "SERVER", words: "took a token for the app" },
  "app.removed": { log: "SERVER", words: "removed the app" },
  "policy.set": { log: "SERVER", words: "set the policy of" },
  "policy.removed": { log: "SERVER", words: "removed the policy of" },
  "consent.given": { log: "SERVER", words: "allowed the app" },
  "consent.taken-back": { log: "SERVER", words: "took back what was allowed to the app" },
  "connection.made": { log: "SERVER", words: "connected the app" },
  "connection.removed": { log: "SERVER", words: "disconnected the app" },
  "server.backed-up": { log: "SERVER", words: "backed up the server with" },
  "server.restored": { log: "SERVER", words: "restored the server with" },
  "server.keys-rotated": { log: "SERVER", words: "made a new signing key for the server with" },
  "webhook.added": { log: "ORGANISATION", words: "added the webhook" },
  "webhook.enabled": { log: "ORGANISATION", words: "enabled the webhook" },
  "webhook.disabled": { log: "ORGANISATION", words: "disabled the webhook" },
  "webhook.resent": { log: "ORGANISATION", words: "had a delivery sent again to the webhook" },
  "webhook.removed": { log: "ORGANISATION", words: "removed the webhook" },
  "lock-date.changed": { log: "ORGANISATION", words: "changed the lock dates of" },
  "organisation.changed": { log: "ORGANISATION", words: "changed the settings of" },
  "branding.changed": { log: "ORGANISATION", words: "changed the branding theme" },
  "payment-service.added": { log: "ORGANISATION", words: "added the payment service" },
  "tax-return.sent": { log: "ORGANISATION", words: "marked as sent the tax return" },
  "tax-return.withdrawn": { log: "ORGANISATION", words: "withdrew the tax return" },
  "plan.approved": { log: "ORGANISATION", words: "approved the plan of" },
  "plan.refused": { log: "ORGANISATION", words: "refused the plan of" },
  "request.refused": { log: "ORGANISATION", words: "was refused by policy" },
  "book.made": { log: "ORGANISATION", words: "made the book of" },
  "book.exported": { log: "ORGANISATION", words: "exported" },
  "book.backed-up": { log: "ORGANISATION", words: "backed up the book of" },
  "book.restored": { log: "ORGANISATION", words: "restored the book of" },
  "book.sealed": { log: "ORGANISATION", words: "sealed the book of" },
  "book.upgraded": { log: "ORGANISATION", words: "brought up to this version the book of" },
  "book.copied": { log: "ORGANISATION", words: "copied the book of" },
} as const satisfies Record<string, KindOfAct>;

export type AuditKind = keyof typeof auditKinds;
/** Kinds of acts in one log. */
export type KindsIn<L extends AuditLog> = {
  [K in AuditKind]: (typeof auditKinds)[K]["log"] extends L ? K : never;
}[AuditKind];

const names = Object.keys(auditKinds) as [AuditKind, ...AuditKind[]];
/** Subjects of acts, such as `person`; each begins the names of some kinds. */
export const auditSubjects: readonly string[] = [
  ...new Set(names.map((name) => name.slice(0, name.indexOf(".")))),
];

/**
 * Channels of acts: the command line, an app through the API, a page of the server, a tool of an
 * agent over HTTP, the server itself.
 */
export const auditRoads = ["TERMINAL", "API", "BROWSER", "MCP", "SERVER"] as const;
export type AuditRoad = (typeof auditRoads)[number];

export const auditEntry = resource(
  "AuditEntry",
  () => ({
    AuditEntryID: text({ always: true, key: true, help: "O and its number, or S and that" }),
    DateUTC: timestamp({ always: true }),
    Kind: choice(names, { always: true }),
    Log: choice(auditLogs, { always: true, help: "whose hash chain it stands in" }),
    User: text({ help: "by whom, as history calls them" }),
    EmailAddress: text({ help: "of the person" }),
    AppName: text({ help: "by which app" }),
    AppID: text({ help: "its client id" }),
    Agent: text({ help: "what the agent calls itself: its own word" }),
    Through: choice(auditRoads, { always: true, help: "by what it was done" }),
    Address: text({ help: "from where: an IP address" }),
    RequestID: text({ help: "as the log of the server names the request" }),
    Subject: text({ help: "what it was done to, by name" }),
    SubjectID: text({ help: "the id of that" }),
    Act: text({ always: true, help: "what was done, in words" }),
    Changes: many(
      "Change",
      {
        Name: text({ always: true, help: "of what changed" }),
        Before: text({ verbatim: true }),
        After: text({ verbatim: true }),
      },
      { whenAny: true, help: "never a secret" },
    ),
  }),
  {
    plural: "AuditEntries",
    extension: true,
    id: "AuditEntryID",
    collection: ["GET"],
    record: ["GET"],
    paged: "enforced",
    columns: ["AuditEntryID", "DateUTC", "User", "Act", "Address"],
    noun: "audit entry",
    summary: "acts of administration: who did what, when and from where",
  },
);

export type AuditEntry = Shape<typeof auditEntry>;
