/**
 * The tables of the directory: what belongs to a server and not to one organisation.
 *
 * They are the only ones that are not keyed by `org`. An organisation is named in them by its GUID,
 * its tenant id, since the books of one server may each lie in a file of their own. Moments are
 * milliseconds since 1970 UTC; of secrets there are hashes alone.
 */

/** Somebody who signs in. */
export interface PersonTable {
  /** A GUID; also the UserID of the person in every organisation. */
  id: string;
  email: string;
  /** Folded; unique. */
  email_key: string;
  name: string;
  /** Scrypt with its parameters; null for who cannot sign in with a password. */
  password_hash: string | null;
  created_at: number;
  updated_at: number;
}

/** As what a person works for an organisation. */
export interface MembershipTable {
  person_id: string;
  tenant: string;
  role: string;
  created_at: number;
}

/** A program that may ask to work on books. */
export interface AppTable {
  /** Its client id, a GUID. */
  id: string;
  name: string;
  /** Folded; unique. */
  name_key: string;
  /** `web`, `pkce`, `machine`. */
  kind: string;
  /** Null for one that can keep no secret. */
  secret_hash: string | null;
  /** Of a machine: the one organisation for which it works. */
  tenant: string | null;
  /** JSON list. */
  redirect_uris: string;
  created_at: number;
}

/** An app, connected to an organisation by a person; by nobody when it is a machine. */
export interface ConnectionTable {
  id: string;
  app_id: string;
  /** Empty where nobody did. */
  person_id: string;
  tenant: string;
  /** The consent in which it was last made. */
  auth_event_id: string;
  created_at: number;
  updated_at: number;
}

/** What a person allowed an app; every token of it counts while this is there. */
export interface ConsentTable {
  /** A GUID: the authentication event, and the grant of the tokens. */
  id: string;
  app_id: string;
  person_id: string;
  /** Separated by spaces; those of the API alone. */
  scopes: string;
  created_at: number;
}

/** Codes, refresh tokens, sessions and what else sign-in remembers between two requests. */
export interface ArtefactTable {
  /** As the authorisation server calls it: `RefreshToken`. */
  kind: string;
  id_hash: string;
  grant_id: string | null;
  uid_hash: string | null;
  /** JSON, in which the id is not. */
  payload: string;
  expires_at: number | null;
  consumed_at: number | null;
}

/** With what the server signs. */
export interface DirectoryKeyTable {
  id: string;
  /** `token` or `cookie`. */
  use: string;
  /** A private JWK, or chance. */
  material: string;
  created_at: number;
}

/** Passwords that were wrong, by whom or from where they were tried. */
export interface AttemptTable {
  /** A hash. */
  subject: string;
  failures: number;
  last_at: number;
}

export interface DirectoryTables {
  person: PersonTable;
  membership: MembershipTable;
  app: AppTable;
  connection: ConnectionTable;
  consent: ConsentTable;
  artefact: ArtefactTable;
  directory_key: DirectoryKeyTable;
  attempt: AttemptTable;
}

/** Every one of them, for what looks over all tables of a database. */
export const directoryTables = [
  "person",
  "membership",
  "app",
  "connection",
  "consent",
  "artefact",
  "directory_key",
  "attempt",
] as const satisfies readonly (keyof DirectoryTables)[];
