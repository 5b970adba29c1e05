/** The book or service that a command works on. */

export type Target =
  /**
   * A book in a file, in a database at the path `postgres://…#organisation`, or in a folder of
   * books; `isDefault` when nothing named it.
   */
  | {
      readonly kind: "book";
      readonly path: string;
      readonly profile?: string;
      /** Source of read-only mode, such as a profile; undefined where changes are allowed. */
      readonly readOnly?: string | undefined;
      /** Path of the `.acct.json` that chose the target. */
      readonly boundBy?: string | undefined;
      readonly isDefault: boolean;
      /** For a file: the name or id of the organisation that it must hold. */
      readonly holds?: string | undefined;
    }
  /** The sample company, in a cache file that may be deleted at any time. */
  | { readonly kind: "demo"; readonly path: string; readonly holds?: string | undefined }
  | {
      readonly kind: "remote";
      readonly baseUrl: string;
      readonly profile?: string;
      /** Source of read-only mode, such as a profile; undefined where changes are allowed. */
      readonly readOnly?: string | undefined;
      /** Path of the `.acct.json` that chose the target. */
      readonly boundBy?: string | undefined;
      /** A token given directly; takes precedence over a sign-in. */
      readonly token?: string | undefined;
      /** Id or name of the organisation. */
      readonly tenant?: string | undefined;
      /** Id of the sign-in that provides tokens. */
      readonly signIn?: string | undefined;
      /** Whether the profile was signed in before, and no longer is. */
      readonly isSignedOut?: boolean;
    };

/** Global flags that choose the target. */
export interface TargetFlags {
  readonly book?: string | undefined;
  readonly database?: string | undefined;
  readonly data?: string | undefined;
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly tenant?: string | undefined;
  readonly demo: boolean;
}
