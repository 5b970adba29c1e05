/** Which book or service a command works on. */

export type Target =
  /**
   * A book in a file, or in a database at the path `postgres://…#organisation`, or in a folder of
   * books; `isDefault` when nothing named it.
   */
  | {
      readonly kind: "book";
      readonly path: string;
      readonly profile?: string;
      /** What says that nothing may be changed there, where anything does. */
      readonly readOnly?: string | undefined;
      /** The file `.acct.json` that said so. */
      readonly boundBy?: string | undefined;
      readonly isDefault: boolean;
      /** Of a file: the organisation that it must hold, by its name or its id. */
      readonly holds?: string | undefined;
    }
  /** The sample company, in a file that may be deleted at any time. */
  | { readonly kind: "demo"; readonly path: string; readonly holds?: string | undefined }
  | {
      readonly kind: "remote";
      readonly baseUrl: string;
      readonly profile?: string;
      /** What says that nothing may be changed there, where anything does. */
      readonly readOnly?: string | undefined;
      /** The file `.acct.json` that said so. */
      readonly boundBy?: string | undefined;
      /** Given from outside; it goes before those of a sign-in. */
      readonly token?: string | undefined;
      /** The organisation, by its id or by its name. */
      readonly tenant?: string | undefined;
      /** The id of the sign-in that gives the tokens. */
      readonly signIn?: string | undefined;
      /** Nobody is signed in where somebody was. */
      readonly isSignedOut?: boolean;
    };

/** The global flags that say where to work. */
export interface TargetFlags {
  readonly book?: string | undefined;
  readonly database?: string | undefined;
  readonly data?: string | undefined;
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly tenant?: string | undefined;
  readonly demo: boolean;
}
