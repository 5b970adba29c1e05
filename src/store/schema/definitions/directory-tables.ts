/** Tables of directory. */
import type { DirectoryTableDefinition } from "../define.ts";

export const directoryTables = {
  // Somebody who signs in.
  person: {
    key: ["id"],
    chain: "each",
    rows: [1000, 1],
    columns: {
      // A GUID; also the UserID of the person in every organisation.
      id: "text",
      email: "text",
      // Folded; unique.
      email_key: "text",
      name: "text",
      // Scrypt with its parameters; null for who cannot sign in with a password.
      password_hash: "text?",
      created_at: "integer",
      updated_at: "integer",
    },
    indexes: {
      person_email: { columns: ["email_key"], unique: true, rows: [1000, 1] },
    },
  },
  // As what a person works for an organisation.
  membership: {
    key: ["person_id", "tenant"],
    chain: "each",
    rows: [2000, 2, 1],
    columns: {
      person_id: "text",
      tenant: "text",
      role: "text",
      created_at: "integer",
    },
    indexes: {
      membership_tenant: { columns: ["tenant"], rows: [2000, 10] },
    },
  },
  // A program that may ask to work on books.
  app: {
    key: ["id"],
    chain: "each",
    rows: [100, 1],
    columns: {
      // Its client id, a GUID.
      id: "text",
      name: "text",
      // Folded; unique.
      name_key: "text",
      // `web`, `web-without-pkce`, `pkce`, `machine`.
      kind: "text",
      // Null for one that can keep no secret.
      secret_hash: "text?",
      // Of a machine: the one organisation for which it works.
      tenant: "text?",
      // JSON list.
      redirect_uris: "text",
      created_at: "integer",
    },
    indexes: {
      app_name: { columns: ["name_key"], unique: true, rows: [100, 1] },
    },
  },
  // An app, connected to an organisation by a person; by nobody when it is a machine.
  connection: {
    key: ["id"],
    chain: "each",
    rows: [2000, 1],
    columns: {
      id: "text",
      app_id: "text",
      // Empty where nobody did.
      person_id: "text",
      tenant: "text",
      // The consent in which it was last made.
      auth_event_id: "text",
      created_at: "integer",
      updated_at: "integer",
    },
    indexes: {
      connection_of: {
        columns: ["person_id", "app_id", "tenant"],
        unique: true,
        rows: [2000, 4, 2, 1],
      },
      connection_tenant: { columns: ["tenant"], rows: [2000, 10] },
    },
  },
  // What a person allowed an app; every token of it counts while this is there.
  consent: {
    key: ["id"],
    chain: "each",
    rows: [2000, 1],
    columns: {
      // A GUID: the authentication event, and the grant of the tokens.
      id: "text",
      app_id: "text",
      person_id: "text",
      // Separated by spaces; those of the API alone.
      scopes: "text",
      created_at: "integer",
    },
    indexes: {
      consent_of: { columns: ["person_id", "app_id"], rows: [2000, 4, 2] },
    },
  },
  // Codes, refresh tokens, sessions and what else sign-in remembers between two requests.
  artefact: {
    key: ["kind", "id_hash"],
    chain: "passing",
    rows: [10_000, 2000, 1],
    columns: {
      // As the authorisation server calls it: `RefreshToken`.
      kind: "text",
      id_hash: "text",
      grant_id: "text?",
      uid_hash: "text?",
      // JSON, in which the id is not.
      payload: "text",
      expires_at: "integer?",
      consumed_at: "integer?",
    },
    indexes: {
      artefact_grant: { columns: ["grant_id"], rows: [10_000, 5] },
      artefact_uid: { columns: ["kind", "uid_hash"], rows: [10_000, 2000, 1] },
      artefact_expiry: { columns: ["expires_at"], rows: [10_000, 2] },
    },
  },
  // With what the server signs.
  directory_key: {
    key: ["id"],
    chain: "each",
    rows: [2, 1],
    columns: {
      id: "text",
      // `token`, `cookie` or `plan`.
      use: "text",
      // A private JWK, or chance.
      material: "text",
      created_at: "integer",
    },
  },
  // Wrong passwords, by email address or network address.
  attempt: {
    key: ["subject"],
    chain: "passing",
    rows: [1000, 1],
    columns: {
      // A hash.
      subject: "text",
      failures: "integer",
      last_at: "integer",
    },
  },
} as const satisfies Record<string, DirectoryTableDefinition>;
