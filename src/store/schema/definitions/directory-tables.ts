/** Tables of the directory: people, apps, connections and sign-in. */
import type { DirectoryTableDefinition } from "../define.ts";

export const directoryTables = {
  // A person who signs in.
  person: {
    key: ["id"],
    chain: "each",
    rows: [1000, 1],
    columns: {
      // GUID; also the UserID of the person in every organisation.
      id: "text",
      email: "text",
      // Folded email address; unique.
      email_key: "text",
      name: "text",
      // Scrypt hash with its parameters; null when the person cannot sign in with a password.
      password_hash: "text?",
      created_at: "integer",
      updated_at: "integer",
    },
    indexes: {
      person_email: { columns: ["email_key"], unique: true, rows: [1000, 1] },
    },
  },
  // The role of a person in an organisation.
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
  // An app: a program that may ask for access to books.
  app: {
    key: ["id"],
    chain: "each",
    rows: [100, 1],
    columns: {
      // The client id, a GUID.
      id: "text",
      name: "text",
      // Folded name; unique.
      name_key: "text",
      // Kind of the app: `web`, `web-without-pkce`, `pkce`, `machine`, `agent`.
      kind: "text",
      // Hash of the client secret; null for an app that can keep no secret.
      secret_hash: "text?",
      // For a machine app: the one organisation it works for.
      tenant: "text?",
      // Redirect URIs as a JSON list.
      redirect_uris: "text",
      created_at: "integer",
    },
    indexes: {
      app_name: { columns: ["name_key"], unique: true, rows: [100, 1] },
    },
  },
  // What an app or a person may do beyond the role: only read, plan or apply, and up to which amount.
  policy: {
    key: ["subject", "tenant"],
    chain: "each",
    rows: [100, 1, 1],
    columns: {
      // Client id of the app, folded email address of the person, or folded name of an agent.
      subject: "text",
      // OrganisationID; empty for all organisations.
      tenant: "text",
      name: "text",
      // `read`, `plan` or `apply`.
      may: "text",
      // Kinds of records by their nouns, separated by commas; null for all.
      kinds: "text?",
      // Gross amounts in the base currency: of a document, of a plan, of what is applied in a day.
      per_document: "integer?",
      per_plan: "integer?",
      per_day: "integer?",
      // The role or email address of who approves what goes beyond.
      approve_by: "text?",
      // Last day, `YYYY-MM-DD`; nothing may be written after it.
      until: "text?",
      set_at: "integer",
    },
  },
  // A connection of an app to an organisation, made by a person; by none for a machine app.
  connection: {
    key: ["id"],
    chain: "each",
    rows: [2000, 1],
    columns: {
      id: "text",
      app_id: "text",
      // The person; empty for a machine app.
      person_id: "text",
      tenant: "text",
      // Authentication event of the consent that last made or renewed the connection.
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
  // A consent of a person to an app; the app's tokens are valid as long as the row exists.
  consent: {
    key: ["id"],
    chain: "each",
    rows: [2000, 1],
    columns: {
      // GUID of the authentication event, and of the grant of the tokens.
      id: "text",
      app_id: "text",
      person_id: "text",
      // API scopes, separated by spaces.
      scopes: "text",
      created_at: "integer",
    },
    indexes: {
      consent_of: { columns: ["person_id", "app_id"], rows: [2000, 4, 2] },
    },
  },
  // An artefact of sign-in that lasts between requests: code, refresh token, session and others.
  artefact: {
    key: ["kind", "id_hash"],
    chain: "passing",
    rows: [10_000, 2000, 1],
    columns: {
      // Kind of the artefact in the authorisation server's terms: `RefreshToken`.
      kind: "text",
      id_hash: "text",
      grant_id: "text?",
      uid_hash: "text?",
      // Payload as JSON, without the id.
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
  // A signing key of the server, or the key of the second factor of a person.
  directory_key: {
    key: ["id"],
    chain: "each",
    rows: [2, 1],
    columns: {
      id: "text",
      // Use of the key: `token`, `cookie`, `plan` or `second-factor`.
      use: "text",
      // A private JWK, random bytes as text, or a second factor as JSON.
      material: "text",
      created_at: "integer",
    },
  },
  // Failed password attempts, by email address or network address.
  attempt: {
    key: ["subject"],
    chain: "passing",
    rows: [1000, 1],
    columns: {
      // Hash of the email address or network address.
      subject: "text",
      failures: "integer",
      last_at: "integer",
    },
  },
} as const satisfies Record<string, DirectoryTableDefinition>;
